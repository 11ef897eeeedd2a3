import { randomBytes } from 'node:crypto';
import { envelopeBytes, SDK } from '../support/envelope-bytes.js';

type Json = Record<string, unknown>;

const NOW = 1_800_000_000;
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const idOf = (bytes: number) => randomBytes(bytes).toString('hex');

/** Events as applications send them, in envelopes of their own. */
export function toEnvelope(event: Json): Buffer {
  const type = event['type'] === 'transaction' ? 'transaction' : 'event';
  return envelopeBytes({ event_id: event['event_id'] }, [{ type }, JSON.stringify(event)]);
}

function createEvent(changes: Json): Json {
  return { event_id: idOf(16), timestamp: NOW, platform: 'node', sdk: SDK, environment: 'development', ...changes };
}

/** An error of its own kind for each number. */
export function createError(number: number, changes: Json = {}): Json {
  const frame = {
    function: `work${number}`,
    filename: `/shop/src/file${number}.js`,
    lineno: 12,
    colno: 9,
    in_app: true,
    pre_context: ['function work() {', '  // …'],
    context_line: '  throw new Error();',
    post_context: ['}', ''],
  };
  const values = [{ type: `Error${number}`, value: `the work of ${number} failed`, stacktrace: { frames: [frame] } }];
  return createEvent({
    timestamp: NOW + number / 10,
    exception: { values },
    level: 'error',
    server_name: 'shop',
    ...changes,
  });
}

const span = (
  span_id: string,
  parent_span_id: string | undefined,
  from: number,
  to: number,
  op: string,
  description: string,
) => ({
  trace_id: TRACE_ID,
  span_id,
  parent_span_id,
  op,
  description,
  status: 'ok',
  start_timestamp: NOW + from / 1000,
  timestamp: NOW + to / 1000,
  data: op.startsWith('db') ? { 'db.system': 'postgresql', 'db.query.text': `${description} WHERE id = ?` } : {},
});

const transaction = (server_name: string, root: ReturnType<typeof span>, ...spans: object[]) =>
  createEvent({
    type: 'transaction',
    transaction: root.description,
    server_name,
    start_timestamp: root.start_timestamp,
    timestamp: root.timestamp,
    contexts: { trace: { ...root, description: undefined } },
    spans,
  });

const frame = (name: string, file: string, lineno: number, lines: string[], in_app = true) => ({
  function: name,
  filename: file,
  lineno,
  colno: 11,
  in_app,
  pre_context: lines.slice(0, 3),
  context_line: lines[3],
  post_context: lines.slice(4),
});

/** A checkout over two services: its card is expired, and the error is seen twice. */
export function createShopEvents(): Json[] {
  const error = (spanId: string) =>
    createEvent({
      timestamp: NOW + 0.131,
      level: 'error',
      server_name: 'payment',
      release: 'shop@1.4.0',
      transaction: 'POST /charge',
      tags: { region: 'eu-west', plan: 'free', cart: 'cart-7' },
      user: { id: 'user-7', username: 'ada' },
      request: { method: 'POST', url: 'http://shop.example/checkout', headers: { 'content-type': 'application/json' } },
      contexts: { trace: { trace_id: TRACE_ID, span_id: spanId }, runtime: { name: 'node', version: 'v20.20.2' } },
      breadcrumbs: [
        { timestamp: NOW + 0.01, category: 'console', level: 'info', message: 'cart was opened' },
        {
          timestamp: NOW + 0.05,
          category: 'http',
          data: { method: 'GET', url: 'http://stock/items/7', status_code: 200 },
        },
        { timestamp: NOW + 0.12, category: 'payment', level: 'warning', message: 'card is near its end of validity' },
      ],
      exception: {
        values: [
          {
            type: 'RangeError',
            value: 'month 13 is outside 1 to 12',
            stacktrace: {
              frames: [
                frame('parseMonth', '/shop/src/dates.js', 8, [
                  '/** From 1 to 12. */',
                  'export function parseMonth(month) {',
                  '  if (month > 12) {',
                  "    throw new RangeError('month 13 is outside 1 to 12');",
                  '  }',
                  '}',
                  '',
                ]),
              ],
            },
          },
          {
            type: 'CardError',
            value: 'card expired',
            mechanism: { type: 'auto.http.express', handled: false },
            stacktrace: {
              frames: [
                frame('processTicksAndRejections', 'node:internal/process/task_queues', 95, [], false),
                frame('Layer.handle', '/shop/node_modules/express/lib/router/layer.js', 95, [], false),
                frame('checkout', '/shop/src/checkout.js', 21, [
                  'app.post("/charge", async (request, response) => {',
                  '  const card = await findCard(request.body.card);',
                  '  const cart = await findCart(request.body.cart);',
                  '  await charge(card, cart.total);',
                  '  response.json({ paid: cart.total });',
                  '});',
                  '',
                ]),
                frame('charge', '/shop/src/charge.js', 34, [
                  'async function charge(card, total) {',
                  '  const { month, year } = parseExpiry(card);',
                  '  if (isPast(month, year)) {',
                  "    throw new CardError('card expired', { cause });",
                  '  }',
                  '  return bank.charge(card.number, total);',
                  '}',
                ]),
              ],
            },
          },
        ],
      },
    });
  return [
    error('d'),
    error('d'),
    transaction(
      'payment',
      span('d', 'c', 75, 140, 'http.server', 'POST /charge'),
      span('e', 'd', 80, 101, 'db.query', 'SELECT card'),
    ),
    transaction(
      'storefront',
      span('a', undefined, 0, 190, 'http.server', 'POST /checkout'),
      span('b', 'a', 4, 45, 'db.query', 'SELECT cart'),
      span('c', 'a', 50, 150, 'http.client', 'POST http://payment/charge'),
      span('f', 'a', 155, 188, 'work', 'render receipt'),
    ),
    createError(1, { level: 'warning', tags: { region: 'us' } }),
    createEvent({ message: 'stock is low: 3 left', level: 'warning', server_name: 'storefront' }),
  ];
}

/** What an attacker would send. */
export function hostileEvent(): Json {
  const script = '<script>alert(1)</script>';
  const control = '\u001b[2J\u202e';
  return createEvent({
    level: '"><img src=x onerror=alert(1)>',
    server_name: script,
    tags: { [script]: script, __proto__: script, url: 'javascript:alert(1)' },
    user: { id: script, username: '<svg onload=alert(1)>' },
    request: { url: 'javascript:alert(1)', method: script },
    breadcrumbs: [{ category: script, message: `${control}${script}`, level: 'x y"><b>' }],
    fingerprint: [script],
    exception: {
      values: [
        {
          type: '<img src=x onerror=alert(1)>',
          value: `${script}${control}${'x'.repeat(1_000_000)}`,
          stacktrace: {
            frames: [{ function: script, filename: script, lineno: 1, context_line: script, in_app: true }],
          },
        },
      ],
    },
  });
}
