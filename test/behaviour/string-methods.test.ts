import { expect, it } from 'vitest';
import { runScript } from '../integrations/run-script.js';

/**
 * Once a process has a string object or a class that extends `String`, V8 calls the methods of all strings several times
 * more slowly: those of the application, and of OpenTelemetry, which checks each id with them.
 */
const SCRIPT = `
  const ids = Array.from({ length: 64 }, (_, i) => (i + 1).toString(16).padStart(32, '0'));
  let sum = 0;
  const pass = () => {
    for (let i = 0; i < 20_000; i++) {
      const id = ids[i & 63];
      for (let j = 0; j < id.length; j++) sum += id.charCodeAt(j);
    }
  };
  // Of many, because a busy machine interrupts some of them.
  const shortest = () => Math.min(...Array.from({ length: 50 }, () => {
    const begin = performance.now();
    pass();
    return performance.now() - begin;
  }));
  const before = shortest();
  const { captureException, captureMessage, flush, init, startSpan } = await import('faultline');
  init({ dsn: 'http://key@127.0.0.1:9/1', tracesSampleRate: 1, beforeSend: (event) => event, transportOptions: { store: false } });
  startSpan({ name: 'work', attributes: { text: 'a' } }, () => captureException(new Error('boom', { cause: 'text' })));
  captureMessage('hello', { extra: { text: 'a' }, tags: { a: 'b' } });
  await flush(1000);
  const after = shortest();
  console.log(JSON.stringify({ before, after }));
  process.exit();`;

it('methods of strings are as fast with the package as without it', async () => {
  const { stdout } = await runScript(SCRIPT, {});
  const { before, after } = JSON.parse(stdout) as { before: number; after: number };
  // It was five times as long.
  expect(after / before).toBeLessThan(2.5);
});
