import { describe, expect, it } from 'vitest';
import { runScript } from '../../integrations/run-script.js';

const EVENTS = ['exit', 'beforeExit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'unhandledRejection', 'uncaughtExceptionMonitor'];

const add = (listeners: number) =>
  `for (const event of ${JSON.stringify(EVENTS)}) for (let i = 0; i < ${listeners}; i++) process.on(event, () => {});`;
const INIT = `require('faultline').init({ dsn: '', tracesSampleRate: 1, release: 'shop@1' });`;

/** The events of which Node says that they have too many listeners. */
async function warnedOf(source: string): Promise<string[]> {
  const { stderr } = await runScript(source, { type: 'commonjs' });
  return [...stderr.matchAll(/\d+ (\w+) listeners added/g)].map(([, event]) => event!);
}

describe('listeners of the SDK do not count where Node warns of a leak:', () => {
  it.each([
    ['after init', INIT + add(10)],
    ['before init', add(10) + INIT],
    ['around init', add(5) + INIT + add(5)],
    [
      'beside an existing setup, with debug',
      `${add(10)} require('faultline').init({ dsn: '', skipOpenTelemetrySetup: true, debug: true });`,
    ],
    [
      'before a capture without init, with debug',
      `process.env.FAULTLINE_DEBUG = '1'; ${add(10)} require('faultline').captureMessage('lost');`,
    ],
    ['after the limit was changed', `process.setMaxListeners(3); ${INIT} ${add(3)}`],
  ])('as many as Node allows, %s', async (_, source) => {
    expect(await warnedOf(source)).toEqual([]);
  });

  it.each([
    ['after init', INIT + add(12)],
    ['around init', add(10) + INIT + add(1)],
  ])('one more, %s, is warned of once', async (_, source) => {
    expect(await warnedOf(source)).toEqual(EVENTS);
  });

  it('those of many copies, as where a development server loads the package again', async () => {
    const load = `for (const key of Object.keys(require.cache)) delete require.cache[key]; ${INIT}`;
    const { stderr, stdout } = await runScript(
      `const count = () => process.eventNames().map((event) => [event, process.listenerCount(event)].join()).sort().join(' ');
      const before = count();
      for (let i = 0; i < 12; i++) { ${load} }
      const closed = () => (count() === before ? console.log('nothing listens') : setTimeout(closed, 10));
      require('faultline').close().then(closed);`,
      { type: 'commonjs' },
    );
    expect({ stderr, stdout }).toEqual({ stderr: '', stdout: 'nothing listens\n' });
  });

  it('the limit stays what it was, and nothing listens once the client is closed', async () => {
    const { stdout } = await runScript(
      `const count = () => [process.getMaxListeners(), ...process.eventNames().map((event) => process.listenerCount(event))].join();
      const before = count();
      ${INIT}
      console.log(process.getMaxListeners());
      require('faultline').close().then(() => console.log(count() === before));`,
      { type: 'commonjs' },
    );
    expect(stdout).toBe('10\ntrue\n');
  });
});
