import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { renderTable } from '../../examples/render-table.js';
import { paintAnsi } from '../../src/receiver/render/paint.js';
import { renderCounts } from '../../src/receiver/render/render-counts.js';
import { renderError } from '../../src/receiver/render/render-error.js';
import { renderTrace } from '../../src/receiver/render/render-trace.js';

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

  it('counts what is below the level error by its level, and marks no span as failed', () => {
    const colored = renderTrace([STOREFRONT, PAYMENT], [{ ...errorIn('b'), level: 'info' }], paintAnsi);
    const rendered = lines(stripVTControlCharacters(colored));
    expect(rendered[0]).toContain(' 0 errors, 1 info,');
    expect(rendered[3]?.trim()).toBe('• info CardError: expired (payment)');
    expect(colored).not.toContain('\u001b[31m');
  });

  it('shows an error of an unknown span at its end', () => {
    expect(
      lines(renderTrace([STOREFRONT], [errorIn('z')]))
        .at(-1)
        ?.trim(),
    ).toBe('✗ CardError: expired (payment)');
  });

  it('shows errors outside of all spans among its roots, in the order of time', () => {
    const worker = transactionOf(
      'worker',
      span('w', undefined, 200, 300, 'job', 'mail'),
      span('v', 'w', 210, 220, 'db', 'INSERT'),
    );
    const at = (millis: number) => ({
      ...errorIn('z'),
      ...span('', undefined, 0, millis, '', ''),
      server_name: `at ${millis}`,
    });
    const rendered = lines(renderTrace([STOREFRONT, worker], [at(400), at(205), at(150), at(-5)]));
    const names = rendered.slice(1).map((line) => /at -?\d+|POST \/checkout|POST|SELECT|mail|INSERT/.exec(line)?.[0]);
    expect(names).toEqual([
      'at -5',
      'POST /checkout',
      'SELECT',
      'POST',
      'at 150',
      'mail',
      'INSERT',
      'at 205',
      'at 400',
    ]);
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
    ...(in_app && { pre_context: ['0', '1', '2'], context_line: '  throw expired;', post_context: ['4', '5', '6'] }),
  });
  const event = {
    ...errorIn('d'),
    transaction: 'POST /charge',
    tags: { cart: 'cart-7', plan: 'free' },
    user: { id: 'user-7' },
    extra: { attempt: 2, cards: ['visa'] },
    contexts: { ...errorIn('d').contexts, os: { name: 'Linux' }, order: { id: 7 } },
    request: { method: 'POST', url: 'http://shop/charge' },
    breadcrumbs: [
      { category: 'console', level: 'warning', message: 'card is old' },
      { category: 'http', data: { method: 'GET', url: 'http://bank/cards', status_code: 404 } },
    ],
    exception: {
      values: [
        { type: 'RangeError', value: 'month 13' },
        {
          type: 'CardError',
          value: 'expired',
          mechanism: { type: 'generic', handled: false },
          stacktrace: {
            frames: [frame('lib', false), frame('main', true), frame('charge', true), frame('lib', false)],
          },
        },
      ],
    },
  };

  it('shows type, value, stack, five lines around the culprit, causes, facts and breadcrumbs', () => {
    expect(lines(renderError(event, { folder: '/shop' }))).toEqual([
      'error CardError: expired',
      '  … 1 in dependencies and Node',
      '  at charge (a.js:3:7)',
      '      1 │ 1',
      '      2 │ 2',
      '    ❯ 3 │   throw expired;',
      '      4 │ 4',
      '      5 │ 5',
      '  at main (a.js:3:7)',
      '  … 1 in dependencies and Node',
      '  caused by RangeError: month 13',
      '  handled no',
      '  in POST /charge on payment',
      '  request POST http://shop/charge',
      '  tags cart=cart-7 plan=free',
      '  user id=user-7',
      '  extra attempt=2 cards=["visa"]',
      '  order id=7',
      `  span d of trace ${TRACE_ID}`,
      '  breadcrumbs',
      '    --:--:--.--- console warning: card is old',
      '    --:--:--.--- http: GET http://bank/cards [404]',
    ]);
  });

  it('without frames of the application blames the innermost', () => {
    const stacktrace = { frames: [frame('outer', false), frame('inner', false)] };
    expect(renderError({ exception: { values: [{ type: 'E', value: 'x', stacktrace }] } })).toContain('at inner (');
  });

  it.each([
    [{}, '<anonymous>'],
    [{ function: '?' }, '<anonymous>'],
    [{ function: 'Server.?' }, 'Server.<anonymous>'],
    [{ function: 'pay' }, 'pay'],
  ])('names the function of the frame %j as Node does', (named, name) => {
    const stacktrace = { frames: [{ ...named, filename: 'a.js', lineno: 3 }] };
    expect(renderError({ exception: { values: [{ stacktrace }] } })).toContain(`at ${name} (a.js:3)`);
  });

  it('that is a message shows its text and level', () => {
    expect(lines(renderError({ message: 'hello', level: 'info' }))).toEqual(['info hello']);
  });

  it('cannot move the cursor, change colors or reverse the text of a terminal', () => {
    const hostile = '\u001b[2J\u009b31m\u202egnp.exe\r\nok\u0007';
    const trace = { trace_id: hostile, span_id: hostile };
    const everywhere = {
      message: hostile,
      transaction: hostile,
      server_name: hostile,
      level: hostile,
      tags: { [hostile]: hostile },
      contexts: { trace },
      breadcrumbs: [{ category: hostile, level: 'error', message: hostile }],
      exception: { values: [{ type: hostile, value: hostile, stacktrace: { frames: [{ function: hostile }] } }] },
    };
    const output = `${renderError(everywhere)}\n${renderTrace([{ ...everywhere, spans: [{ op: hostile }] }], [everywhere])}`;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(output).toContain('\\u{1b}[2J');
  });

  it.each([
    [
      'members of the wrong types',
      { exception: 7, message: {}, tags: 'x', breadcrumbs: 'x', contexts: [], request: 1 },
    ],
    ['nulls in lists', { exception: { values: [null, { stacktrace: { frames: [null] } }] }, breadcrumbs: [null] }],
  ])('with %s is printed', (_what, broken) => {
    expect(renderError(broken)).toMatch(/^error /);
    expect(renderTrace([{ ...broken, spans: [null, {}] }], [broken])).toMatch(/^trace /);
  });

  it('with a message of 1 MB is cut', () => {
    expect(renderError({ message: 'x'.repeat(1_000_000) }).length).toBeLessThan(2000);
  });
});

describe('a trace of a hostile sender', () => {
  it('whose spans are their own ancestors shows each span once', () => {
    const trace = transactionOf('shop', span('a', 'b', 0, 3, 'x', 'A'), span('b', 'a', 1, 2, 'x', 'B'));
    expect(
      lines(renderTrace([trace]))
        .slice(1)
        .map((line) => line.trim().split(/ +/).at(-2)),
    ).toEqual(['A', 'B']);
  });

  it('with 20,000 spans below each other is printed in part', () => {
    const spans = Array.from({ length: 20_000 }, (_, i) => span(`s${i + 1}`, `s${i}`, i, i + 1, 'x', 'deep'));
    const trace = transactionOf('shop', span('s0', undefined, 0, 20_000, 'x', 'root'), ...spans);
    expect(lines(renderTrace([trace])).at(-1)).toContain('… 19901 more spans');
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
