import { describe, expect, it } from 'vitest';
import { customers } from '../../examples/shop/customers.js';
import { verify } from '../../examples/shop/verify.js';
import { Inbox } from '../../src/receiver/inbox.js';
import type { Json } from '../../src/receiver/received.js';

/** What arrives of one declined payment when all is well. */
function declinedPayment() {
  const plan = customers(10)[9]!;
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const visit = { ...plan, traceId, status: plan.expectedStatus };
  const common = { user: { id: 'user-10' }, tags: { cart: 'cart-10' } };
  const trace = (span_id: string, parent_span_id?: string) => ({
    trace: { trace_id: traceId, span_id, parent_span_id },
  });
  const storefront: Json = {
    ...common,
    type: 'transaction',
    server_name: 'storefront',
    transaction: 'POST /checkout/:cart',
    contexts: trace('a'),
    spans: [
      { span_id: 'b', parent_span_id: 'a', description: 'express' },
      { span_id: 'c', parent_span_id: 'b', op: 'http.client', description: 'POST' },
    ],
  };
  const payment: Json = {
    ...common,
    type: 'transaction',
    server_name: 'payment',
    transaction: 'POST /charge',
    contexts: trace('d', 'c'),
    spans: [{ span_id: 'e', parent_span_id: 'd', description: 'charge card' }],
  };
  const error: Json = {
    ...common,
    server_name: 'payment',
    exception: { values: [{ type: 'RangeError' }, { type: 'CardError' }, { type: 'ChargeError' }] },
    contexts: trace('e', 'd'),
  };
  return {
    visits: [visit],
    transactions: [storefront, payment],
    events: [error],
    violations: [] as string[],
    discards: [] as Json[],
  };
}

type Arrived = ReturnType<typeof declinedPayment>;

/** The names of the checks that fail. */
function failures(arrived: Arrived) {
  const { visits, transactions, events, violations, discards } = arrived;
  const inbox = Object.defineProperties(new Inbox(), {
    transactions: { value: transactions },
    events: { value: events },
    discards: { value: () => discards },
    violations: { value: violations },
  });
  return verify(visits, inbox).flatMap(({ what, problems }) => (problems.length > 0 ? [what] : []));
}

const ANSWER = 'every request was answered as planned';
const UNIQUE = 'no two requests share a trace';
const STRANGER = 'nothing else arrived';
const TRANSACTION = 'every request is one transaction in each service';
const PARENT = 'every span has its parent, across the processes too';
const ERROR = 'every failure is one error event with all its causes';
const LINK = 'every error is linked to the span in which it happened';
const SCOPE = 'every event has the user and the tag of its own request';

describe('the demo', () => {
  it('is content when each request is one trace and each failure one linked error', () => {
    expect(failures(declinedPayment())).toEqual([]);
  });

  it.each<[string, string[], (arrived: Arrived) => void]>([
    [
      'another answer',
      [ANSWER],
      ({ visits }) => {
        visits[0]!.status = 500;
      },
    ],
    ['a trace of two requests', [UNIQUE], ({ visits }) => void visits.push(visits[0]!)],
    ['a missing transaction', [TRANSACTION, PARENT, LINK], ({ transactions }) => void transactions.pop()],
    ['a second transaction', [TRANSACTION], ({ transactions }) => void transactions.push(transactions[1]!)],
    [
      'a transaction of another name',
      [TRANSACTION],
      ({ transactions: [a] }) => {
        a!['transaction'] = 'POST';
      },
    ],
    [
      'a transaction of no request',
      [STRANGER],
      ({ transactions }) => void transactions.push({ transaction: 'x', contexts: { trace: { trace_id: 'other' } } }),
    ],
    [
      'an error without a trace',
      [STRANGER, ERROR],
      ({ events: [e] }) => {
        e!['contexts'] = {};
      },
    ],
    ['a missing parent', [PARENT], ({ transactions: [a] }) => void a!['spans'].shift()],
    [
      'a service under another span than the call',
      [PARENT],
      ({ transactions: [, b] }) => {
        b!['contexts'].trace.parent_span_id = 'b';
      },
    ],
    [
      'a root that has a parent',
      [PARENT],
      ({ transactions: [a] }) => {
        a!['contexts'].trace.parent_span_id = 'z';
      },
    ],
    ['a missing error', [ERROR], ({ events }) => void events.pop()],
    ['an error that came twice', [ERROR], ({ events }) => void events.push(events[0]!)],
    ['an error without its causes', [ERROR], ({ events: [e] }) => void e!['exception'].values.shift()],
    [
      'an error of the other service',
      [ERROR],
      ({ events: [e] }) => {
        e!['server_name'] = 'storefront';
      },
    ],
    [
      'an error in another span',
      [LINK],
      ({ events: [e] }) => {
        e!['contexts'].trace.span_id = 'd';
      },
    ],
    [
      'the user of another request',
      [SCOPE],
      ({ events: [e] }) => {
        e!['user'] = { id: 'user-9' };
      },
    ],
    [
      'a tag of another request',
      [SCOPE],
      ({ transactions: [a] }) => {
        a!['tags'] = { cart: 'cart-9' };
      },
    ],
    [
      'a tag too many',
      [SCOPE],
      ({ events: [e] }) => {
        e!['tags'].product = 'product-3';
      },
    ],
    ['a malformed envelope', ['every envelope is well-formed'], ({ violations }) => void violations.push('x')],
    ['a loss', ['nothing was lost'], ({ discards }) => void discards.push({ reason: 'x' })],
  ])('is not content with %s', (_, expected, spoil) => {
    const arrived = structuredClone(declinedPayment());
    spoil(arrived);
    expect(failures(arrived)).toEqual(expected);
  });
});
