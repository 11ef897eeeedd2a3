const assert = require('node:assert/strict');

/**
 * Fails unless the package is one instance, however it was loaded, and works. Handed the results of loading, because
 * each loader has ways of its own.
 *
 * @param {typeof import('faultline')} imported
 * @param {typeof import('faultline')} required
 * @param {typeof import('faultline/express')} express
 */
module.exports = async function check(imported, required, express) {
  for (const name of Object.keys(imported)) {
    if (name !== 'default') assert.equal(imported[name], required[name], name);
  }
  const events = [];
  const keep = (event) => {
    events.push(event);
    return null;
  };
  const client = imported.init({
    dsn: 'http://key@127.0.0.1:9/1',
    // Nobody listens there.
    sendClientReports: false,
    tracesSampleRate: 1,
    beforeSend: keep,
    beforeSendTransaction: keep,
  });
  assert.equal(required.getClient(), client);
  required.setTag('set through', 'require');
  imported.withScope((scope) => {
    assert.equal(scope, required.getCurrentScope());
    assert.ok(scope instanceof required.Scope);
    required.startSpan({ name: 'work' }, () => imported.captureException(new Error('thrown')));
    required.captureMessage('reported');
  });
  express.setupExpressErrorHandler({ use: (middleware) => middleware(new Error('of Express'), {}, {}, () => {}) });
  await client.flush(30_000);

  const titles = events.map(
    ({ message, transaction, exception }) => exception?.values[0].value ?? message ?? transaction,
  );
  assert.deepEqual(titles.sort(), ['of Express', 'reported', 'thrown', 'work']);
  for (const { type, tags } of events) if (type === undefined) assert.equal(tags['set through'], 'require');
  // Both are in files that are loaded by these calls.
  assert.equal(imported.localVariablesIntegration().name, 'LocalVariables');
  assert.equal(client.openTelemetryStatus().trace.owner, 'faultline');
  assert.deepEqual(client.openTelemetryStatus().problems, []);
  await client.close(1000);
};
