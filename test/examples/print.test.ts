import { describe, expect, it } from 'vitest';
import { renderCounts, renderError, renderTable, renderTrace } from '../../examples/receiver/print.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const BEGIN = 1000;

/** A span from and to a number of milliseconds after the begin of the trace. */
const span = (id: string, parent: string | undefined, from: number, to: number, op: string, description: string) => ({
  trace_id: TRACE_ID,
  span_id: id,
  parent_span_id: parent,
  op,
  description,
  start_timestamp: BEGIN + from / 1000,
  timestamp: BEGIN + to / 1000,
});

const transactionOf = (service: string, root: ReturnType<typeof span>, ...spans: object[]) => ({
  transaction: root.description,
  server_name: service,
  start_timestamp: root.start_timestamp,
  timestamp: root.timestamp,
  contexts: { trace: { ...root, description: undefined } },
  spans,
});

const STOREFRONT = transactionOf(
  'storefront',
  span('a', undefined, 0, 100, 'http.server', 'POST /checkout'),
  span('c', 'a', 50, 100, 'http.client', 'POST'),
  span('b', 'a', 0, 25, 'db', 'SELECT'),
);
const PAYMENT = transactionOf('payment', span('d', 'c', 75, 100, 'http.server', 'POST /charge'));

const errorIn = (spanId: string) => ({
  server_name: 'payment',
  exception: { values: [{ type: 'CardError', value: 'expired' }] },
  contexts: { trace: { trace_id: TRACE_ID, span_id: spanId } },
});

const lines = (text: string) => text.split('\n').map((line) => line.trimEnd());

describe('a trace', () => {
  it('is one waterfall over all services, in the order of the tree', () => {
    expect(lines(renderTrace([PAYMENT, STOREFRONT]))).toEqual([
      `trace ${TRACE_ID}: 4 spans, 0 errors, 100.0 ms, storefront → payment`,
      '████████████████████████████████   100.0 ms  http.server  POST /checkout    storefront',
      '████████························    25.0 ms  db             SELECT          storefront',
      '················████████████████    50.0 ms  http.client    POST            storefront',
      '························████████    25.0 ms  http.server      POST /charge  payment',
    ]);
  });

  it('shows an error under its span', () => {
    const rendered = lines(renderTrace([STOREFRONT, PAYMENT], [errorIn('b')]));
    expect(rendered[0]).toContain('1 error,');
    expect(rendered.findIndex((line) => line.includes('SELECT'))).toBe(2);
    expect(rendered[3]?.trim()).toBe('✗ CardError: expired (payment)');
  });

  it('shows an error of an unknown span at its end', () => {
    expect(
      lines(renderTrace([STOREFRONT], [errorIn('z')]))
        .at(-1)
        ?.trim(),
    ).toBe('✗ CardError: expired (payment)');
  });

  it('shows a part whose parent has not arrived', () => {
    expect(lines(renderTrace([PAYMENT]))).toEqual([
      `trace ${TRACE_ID}: 1 span, 0 errors, 25.0 ms, payment`,
      '████████████████████████████████    25.0 ms  http.server  POST /charge  payment',
    ]);
  });

  it('shows at least a mark for a span of no duration, even at the very end', () => {
    const child = span('b', 'a', 100, 100, 'db', 'COMMIT');
    const trace = transactionOf('shop', span('a', undefined, 0, 100, 'task', 'work'), child);
    expect(lines(renderTrace([trace]))[2]).toBe('·······························█     0.0 ms  db      COMMIT  shop');
  });

  it('cuts long descriptions', () => {
    const trace = transactionOf('shop', span('a', undefined, 0, 1, 'db', 'S'.repeat(100)));
    expect(renderTrace([trace])).toContain(`${'S'.repeat(55)}…  shop`);
  });
});

describe('an error', () => {
  const frame = (name: string, in_app: boolean) => ({
    function: name,
    filename: '/shop/a.js',
    lineno: 3,
    colno: 7,
    in_app,
  });
  const event = {
    ...errorIn('d'),
    tags: { cart: 'cart-7', plan: 'free' },
    user: { id: 'user-7' },
    exception: {
      values: [
        { type: 'RangeError', value: 'month 13' },
        {
          type: 'CardError',
          value: 'expired',
          stacktrace: { frames: [frame('main', true), frame('charge', true), frame('lib', false)] },
        },
      ],
    },
  };

  it('shows type, value, culprit, causes, tags, user and span', () => {
    expect(lines(renderError(event))).toEqual([
      'error CardError: expired',
      '  at charge (/shop/a.js:3:7)',
      '  caused by RangeError: month 13',
      '  tags cart=cart-7 plan=free',
      '  user id=user-7',
      `  span d of trace ${TRACE_ID} in payment`,
    ]);
  });

  it('without frames of the application blames the innermost', () => {
    const stacktrace = { frames: [frame('outer', false), frame('inner', false)] };
    expect(renderError({ exception: { values: [{ type: 'E', value: 'x', stacktrace }] } })).toContain('at inner (');
  });

  it('that is a message shows its text and level', () => {
    expect(lines(renderError({ message: 'hello', level: 'info' }))).toEqual([
      'error info: hello',
      '  tags none',
      '  user none',
      '  no span',
    ]);
  });
});

it('counts show what arrived and what was lost', () => {
  const discards = [{ reason: 'sample_rate', category: 'span', quantity: 4 }];
  expect(renderCounts({ error: 2, span: 9, internal: 1 }, discards)).toBe(
    'received: 2 error, 9 span | lost: 4 span (sample_rate)',
  );
  expect(renderCounts({}, [])).toBe('received: nothing | lost: nothing');
});

it('a table is as wide as its cells', () => {
  const rows = [
    ['long cell', 1],
    ['b', 22],
  ];
  expect(lines(renderTable(['a', 'n'], rows))).toEqual([
    'a          n',
    '─────────  ──',
    'long cell  1',
    'b          22',
  ]);
});
