import { expect, it } from 'vitest';
import { runScript } from '../integrations/run-script.js';

it.each(['', 'debug: true', 'skipOpenTelemetrySetup: true'])(
  'many calls of init in one tick make Node warn of no leak, and what was captured is counted at the end: { %s }',
  async (options) => {
    const { stdout, stderr } = await runScript(`
      import { captureMessage, getClient, init, startSpan } from 'faultline';
      const clients = [];
      for (let i = 0; i < 30; i++) {
        clients.push(init({ dsn: 'http://key@127.0.0.1:9/1', release: 'a@1', tracesSampleRate: 1, quiet: true, transportOptions: { store: false }, ${options} }));
        startSpan({ name: 'work' }, () => captureMessage('hello'));
      }
      process.on('exit', () => {
        const counts = clients.map(({ ledger }) => ledger.balance().error);
        const isBalanced = ({ captured, delivered, discarded, queued, stored }) =>
          captured === 1 && delivered + discarded + queued + stored === 1;
        console.log(counts.filter(isBalanced).length);
      });`);
    expect(stderr).not.toContain('MaxListenersExceededWarning');
    expect(stdout).toContain('30');
  },
);
