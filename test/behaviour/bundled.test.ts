import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SDK_VERSION } from '../../src/internal/version.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

const ROOT = new URL('../..', import.meta.url).pathname;
/** As in docs/setup.md; packages of OpenTelemetry that are no ES modules ask for it. */
const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

let receiver: Receiver;
let folder: string;
beforeEach(async () => {
  receiver = await startReceiver();
  folder = mkdtempSync(join(tmpdir(), 'faultline-bundle-'));
});
afterEach(async () => {
  await receiver.close();
  rmSync(folder, { recursive: true });
});

/** Makes one file of the source and all it needs, and runs it where there is nothing else. */
async function runBundled(contents: string, options: BuildOptions): Promise<void> {
  const isModule = options.format === 'esm';
  const outfile = join(folder, isModule ? 'app.mjs' : 'app.cjs');
  await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    platform: 'node',
    outfile,
    ...(isModule && { banner: { js: BANNER } }),
    logLevel: 'silent',
    ...options,
  });
  const env = { PATH: process.env['PATH'], FAULTLINE_DSN: receiver.dsn, FAULTLINE_RELEASE: 'app@1' };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [outfile], { cwd: folder, env });
  expect([stdout, stderr]).toEqual(['', '']);
  expect(receiver.violations).toEqual([]);
}

/** Fails until the thread that looks at variables is there; says on stderr whatever else goes wrong. */
const STANDALONE = `
  import { diag, DiagLogLevel } from '@opentelemetry/api';
  import { captureException, init, localVariablesIntegration, startSpan } from 'faultline';
  diag.setLogger({ error: console.error, warn: console.error }, DiagLogLevel.WARN);
  let isSeen = false;
  init({
    tracesSampleRate: 1,
    integrations: [localVariablesIntegration()],
    beforeSend(event) {
      const [{ value, stacktrace }] = event.exception.values;
      if (value === 'a text') return event;
      if (isSeen || !stacktrace.frames.at(-1).vars) return null;
      isSeen = true;
      return event;
    },
  });
  function failOrder(order) { const reason = ['none']; throw new Error('failed ' + order + reason); }
  function reportText() { captureException('a text'); }
  const timer = setInterval(() => {
    try { startSpan({ name: 'work' }, () => failOrder('A-1')); } catch {}
    if (isSeen) { clearInterval(timer); reportText(); }
  }, 50);
`;

const FORMATS: Array<[string, BuildOptions]> = [
  ['an ES module', { format: 'esm' }],
  ['a minified ES module', { format: 'esm', minify: true }],
  ['CommonJS', { format: 'cjs' }],
  ['minified CommonJS', { format: 'cjs', minify: true }],
  ['minified CommonJS that keeps names', { format: 'cjs', minify: true, keepNames: true }],
];

describe('an application that is one file, as', () => {
  it.each(FORMATS)('%s, sends errors with variables, and transactions', async (_, options) => {
    await runBundled(STANDALONE, options);
    expect(receiver.events).toHaveLength(2);
    // Their requests are in flight at the same time.
    const [failed, text] = ['failed A-1none', 'a text'].map((value) =>
      receiver.events.find(({ exception }) => exception.values[0]!.value === value),
    );
    expect(failed).toMatchObject({ release: 'app@1', sdk: { version: SDK_VERSION } });
    const { stacktrace } = failed!.exception.values[0]!;
    expect(Object.values(stacktrace.frames.at(-1)!.vars)).toContain('A-1');
    const { trace_id } = failed!.contexts.trace;
    expect(receiver.transactions.filter(({ contexts }) => contexts.trace.trace_id === trace_id)).toHaveLength(1);

    const functions = [stacktrace, text!.exception.values[0]!.stacktrace].map(({ frames }) => frames.at(-1)!.function);
    if (options.keepNames || !options.minify) expect(functions).toEqual(['failOrder', 'reportText']);
  });

  it.each<['esm' | 'cjs']>([['esm'], ['cjs']])(
    '%s, finds the OpenTelemetry API where it was left out',
    async (format) => {
      cpSync(join(ROOT, 'node_modules/@opentelemetry/api'), join(folder, 'node_modules/@opentelemetry/api'), {
        recursive: true,
      });
      await runBundled(
        `import { trace } from '@opentelemetry/api';
      import { captureMessage, init } from 'faultline';
      init({ tracesSampleRate: 1 });
      trace.getTracer('app').startActiveSpan('work', (span) => { captureMessage('within'); span.end(); });`,
        { format, external: ['@opentelemetry/api'] },
      );
      expect(receiver.transactions.map(({ transaction }) => transaction)).toEqual(['work']);
      expect(receiver.events[0]!.contexts.trace.span_id).toBe(receiver.transactions[0]!.contexts.trace.span_id);
    },
  );

  it.each<['esm' | 'cjs']>([['esm'], ['cjs']])('%s, has no frames of the SDK in stacks', async (format) => {
    await runBundled(
      `import { captureConsoleIntegration, captureException, captureMessage, getCurrentScope, init,
        onUnhandledRejectionIntegration, Scope } from 'faultline';
      const levels = ['debug'];
      console.debug = () => undefined;
      init({
        attachStacktrace: true,
        integrations: [captureConsoleIntegration({ levels }), onUnhandledRejectionIntegration({ mode: 'none' })],
      });
      function report() {
        console.debug('logged');
        captureException('a');
        captureMessage('b');
        getCurrentScope().captureException('c');
        getCurrentScope().captureMessage('d');
      }
      report();
      const { captureException: original } = Scope.prototype;
      Scope.prototype.captureException = function captureAndPrint(...args) { return original.apply(this, args); };
      getCurrentScope().captureException('e');
      Promise.reject('rejected');`,
      { format },
    );
    const innermost = receiver.events.map(({ message, exception }) => [
      message ?? exception.values[0]!.value,
      exception.values[0]!.stacktrace?.frames.at(-1)?.function,
    ]);
    expect(Object.fromEntries(innermost)).toEqual({
      a: 'report',
      b: 'report',
      c: 'report',
      d: 'report',
      e: expect.stringMatching(/captureAndPrint$/),
      logged: 'report',
      // It has only frames of Node.
      rejected: expect.stringMatching(/emit$/),
    });
  });

  it.each<[string, BuildOptions]>([
    ['an ES module', { format: 'esm' }],
    ['minified CommonJS', { format: 'cjs', minify: true }],
  ])('%s, works beside an OpenTelemetry setup in the same file', async (_, options) => {
    await runBundled(
      `import { trace } from '@opentelemetry/api';
      import { NodeSDK } from '@opentelemetry/sdk-node';
      import { captureException, init, openTelemetry } from 'faultline';
      init({ tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      const sdk = new NodeSDK({ ...openTelemetry(), metricReaders: [], logRecordProcessors: [] });
      sdk.start();
      trace.getTracer('shop').startActiveSpan('report', (span) => { captureException(new Error('within')); span.end(); });
      void sdk.shutdown();`,
      options,
    );
    expect(receiver.transactions.map(({ transaction }) => transaction)).toEqual(['report']);
    expect(receiver.events[0]!.contexts.trace.span_id).toBe(receiver.transactions[0]!.contexts.trace.span_id);
  });
});
