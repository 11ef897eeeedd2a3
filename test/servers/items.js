import { createServer, get } from 'node:http';
import {
  addBreadcrumb,
  captureEvent,
  captureException,
  captureFeedback,
  captureMessage,
  captureSession,
  close,
  endSession,
  flush,
  getCurrentScope,
  init,
  parameterize,
  setContext,
  setExtra,
  setTag,
  setUser,
  startInactiveSpan,
  startSpan,
  withScope,
} from 'faultline';

const LONG = 'x'.repeat(20_000);

/** Things that applications throw. */
function createThrown() {
  const circular = { name: 'circular' };
  circular.self = circular;
  return [
    new Error('plain'),
    new TypeError('with a cause', { cause: new RangeError('the cause', { cause: 'a string' }) }),
    new AggregateError([new Error('first'), new Error('second')], 'several'),
    new Error(''),
    new Error(LONG),
    Object.assign(new Error('with properties'), { code: 'E_X', status: 500, nested: { a: [1, { b: 2 }] } }),
    Object.assign(new Error('renamed'), { name: LONG }),
    Object.assign(new Error('without a stack'), { stack: undefined }),
    Object.assign(new Error('with another stack'), { stack: 'no stack at all' }),
    new DOMException('aborted', 'AbortError'),
    Object.assign(Object.create(null), { message: 'no prototype' }),
    { message: 'an object' },
    circular,
    'a string',
    '',
    42,
    Number.NaN,
    10n,
    true,
    null,
    undefined,
    Symbol('a symbol'),
    () => 'a function',
    [1, 'two', { three: 3 }],
    new Map([['a', 1]]),
    new Date(Number.NaN),
    new Error('\u0000\ud800 \u2028 \u{1f600}'),
  ];
}

function setEverything() {
  setUser({ id: 5, email: 'a@a.test', username: 'me', ip_address: '127.0.0.1' });
  for (const value of ['x', 19.99, true, 10n]) setTag(`tag.${typeof value}`, value);
  setExtra('extra', { a: [1, null, undefined, { b: LONG }] });
  setContext('custom', { a: 1, date: new Date(0) });
  setContext('device', { name: 'device' });
  for (const level of ['fatal', 'error', 'warning', 'info', 'debug', 'log']) {
    addBreadcrumb({ level, category: 'x', type: 'default', message: level, data: { a: { b: 1 } } });
  }
  addBreadcrumb({ type: 'http', category: 'http', data: { url: 'https://a.test', method: 'GET', status_code: 200 } });
}

function captureEvents() {
  for (const thrown of createThrown()) captureException(thrown);
  for (const level of ['fatal', 'error', 'warning', 'info', 'debug', 'log']) captureMessage(`as ${level}`, level);
  captureMessage(parameterize`user ${5} has ${'nothing'}`);
  captureMessage(LONG);
  captureEvent({
    message: 'by hand',
    fingerprint: ['a', '{{ default }}'],
    transaction: LONG,
    logger: 'x',
    level: 'info',
  });
  captureEvent({
    exception: { values: [{ type: 'Custom', value: 'by hand', stacktrace: { frames: [{ filename: 'a.js' }] } }] },
  });
  withScope((scope) => {
    scope.addAttachment({ filename: 'a.txt', data: 'text', contentType: 'text/plain' });
    scope.addAttachment({ filename: 'b.bin', data: new Uint8Array([1, 2, 3]) });
    scope.setFingerprint(['x']).setTransactionName('a transaction').setLevel('warning');
    captureException(new Error('with attachments'));
  });
}

function captureSpans() {
  startSpan(
    { name: 'root', op: 'task', attributes: { text: 'x', number: 1, list: ['a', 'b'], flag: true } },
    (root) => {
      startSpan(
        { name: 'SELECT 1', op: 'db', attributes: { 'db.system': 'postgresql', 'db.statement': 'SELECT 1' } },
        () => 0,
      );
      startSpan({ name: 'linked', links: [{ context: root.spanContext(), attributes: { a: 1 } }] }, () => 0);
      startInactiveSpan({ name: LONG }).end();
      root.setStatus({ code: 2, message: 'not_found' });
      captureException(new Error('within a span'));
    },
  );
  startSpan({ name: LONG, forceTransaction: true }, () => 0);
  try {
    startSpan({ name: 'failing' }, () => {
      throw new Error('out of a span');
    });
  } catch {}
}

async function serveRequests() {
  const server = createServer((request, response) => {
    if (request.url === '/fail') captureException(new Error('in a request'));
    response.writeHead(request.url === '/fail' ? 500 : 200).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  for (const path of ['/a?b=1', '/fail']) {
    await new Promise((resolve) => {
      const url = { port: server.address().port, path, headers: { cookie: 'a=1', 'x-list': ['a', 'b'] } };
      get(url, (response) => response.resume().on('end', resolve));
    });
  }
  server.close();
}

/** Makes the SDK send items of all kinds. @returns what became of them */
async function captureEverything(dsn) {
  const client = init({
    dsn,
    release: 'shop@1.0.0+5',
    environment: 'test',
    dist: '5',
    serverName: 'a-server',
    tracesSampleRate: 1,
    // With true, `sdk.settings` says so, which Bugsink's schema does not know.
    attachStacktrace: true,
    // Some of what is captured would be a mistake in an application.
    quiet: true,
    beforeSend: (event) => (event.message === 'dropped' ? null : event),
  });
  setEverything();
  captureEvents();
  captureSpans();
  await serveRequests();
  const eventId = captureMessage('that feedback is about');
  captureFeedback({
    message: 'helpful',
    name: 'me',
    email: 'a@a.test',
    url: 'https://a.test',
    associatedEventId: eventId,
  });
  captureFeedback({ message: 'x' }, { attachments: [{ filename: 'c.txt', data: 'text' }] });
  captureMessage('dropped');
  captureSession();
  await flush(60_000);
  endSession();
  getCurrentScope().clear();
  await close(60_000);
  return client.ledger.balance();
}

console.log(JSON.stringify(await captureEverything(process.argv[2])));
