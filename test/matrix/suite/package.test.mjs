// The installed package: how it is loaded, and how a process with it ends.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { startReceiver } from 'faultline/receiver';
import { run } from './support/stage.mjs';

/** Runs the script of an application, and expects how it ends. @returns what arrived */
async function endOf(env, expected = { status: 0, stderr: /^$/ }, nodeOptions = []) {
  const receiver = await startReceiver();
  try {
    const options = { env: { ...env, FAULTLINE_DSN: receiver.dsn }, nodeOptions };
    const { status, stderr } = await run('support/end.mjs', options);
    assert.match(stderr, expected.stderr);
    assert.equal(status, expected.status);
    assert.deepEqual(receiver.violations, []);
    return receiver;
  } finally {
    await receiver.close();
  }
}

test('import and require give the same instance', async () => {
  assert.equal((await import('faultline')).init, createRequire(import.meta.url)('faultline').init);
});

test('a script that ends has sent what it captured, by itself', async () => {
  const { events } = await endOf({ WAY: 'alone', END: 'message' });
  assert.equal(events[0].message, 'said last');
});

test('--import faultline/register starts it before the application', async () => {
  const { events } = await endOf({ WAY: 'none', END: 'message' }, undefined, ['--import', 'faultline/register']);
  assert.equal(events[0].message, 'said last');
});

for (const WAY of ['alone', 'beside', 'exporter']) {
  test(`an uncaught exception is sent, written and ends the process (${WAY})`, async () => {
    const { events } = await endOf({ WAY, END: 'throw' }, { status: 1, stderr: /RangeError: thrown last/ });
    const [{ exception, contexts }] = events;
    assert.equal(exception.values[0].value, 'thrown last');
    assert.equal(exception.values[0].mechanism.handled, false);
    assert.match(contexts.trace.trace_id, /^\w{32}$/);
  });

  test(`an unhandled rejection is sent, written and ends the process (${WAY})`, async () => {
    const { events } = await endOf({ WAY, END: 'reject' }, { status: 1, stderr: /rejected last/ });
    assert.equal(events[0].exception.values[0].value, 'rejected last');
    assert.equal(events[0].exception.values[0].mechanism.handled, false);
  });
}
