/** @typedef {import('faultline/receiver').Json} Json */
/** @typedef {import('./customers.js').Visit} Visit */
/** @typedef {{ what: string, problems: string[] }} Check passed when there are no problems */

/**
 * What each kind of request must cause: one transaction in each service, and one error event if it fails.
 *
 * @typedef {object} Expectation
 * @property {Record<string, string>} transactions name by service
 * @property {{ service: string, span: string, chain: string[] }} [error] `span` is the description of the span in which
 *   it was thrown; the last of the chain is the exception that was captured
 */

/** @type {Record<import('./customers.js').Kind, Expectation>} */
const EXPECTED = {
  product: { transactions: { storefront: 'GET /products/:id' } },
  paid: { transactions: { storefront: 'POST /checkout/:cart', payment: 'POST /charge' } },
  declined: {
    transactions: { storefront: 'POST /checkout/:cart', payment: 'POST /charge' },
    error: { service: 'payment', span: 'charge card', chain: ['RangeError', 'CardError', 'ChargeError'] },
  },
  timeout: {
    transactions: { storefront: 'POST /checkout/:cart', payment: 'POST /charge' },
    error: { service: 'storefront', span: 'pay', chain: ['TimeoutError', 'Error'] },
  },
};

/**
 * Compares what the customers did with what arrived.
 *
 * @param {Visit[]} visits
 * @param {Pick<import('faultline/receiver').Inbox, 'events' | 'transactions' | 'violations' | 'discards'>} receiver
 * @returns {Check[]}
 */
export function verify(visits, receiver) {
  const { transactions, events: errors } = receiver;
  const transactionsOf = groupByTrace(transactions);
  const errorsOf = groupByTrace(errors);
  const traces = visits.map((visit) => ({
    visit,
    transactions: transactionsOf.get(visit.traceId) ?? [],
    errors: errorsOf.get(visit.traceId) ?? [],
  }));
  const each = (/** @type {string} */ what, /** @type {(trace: Trace) => string[]} */ check) => ({
    what,
    problems: traces.flatMap((trace) => check(trace).map((problem) => `${trace.visit.path} ${problem}`)),
  });
  const traceIds = new Set(visits.map(({ traceId }) => traceId));
  const strangers = [...transactions, ...errors].filter((event) => !traceIds.has(traceIdOf(event)));
  return [
    each('every request was answered as planned', checkAnswer),
    {
      what: 'no two requests share a trace',
      problems: traceIds.size === visits.length ? [] : [`${traceIds.size} traces for ${visits.length} requests`],
    },
    { what: 'nothing else arrived', problems: strangers.map(({ transaction, message }) => transaction ?? message) },
    each('every request is one transaction in each service', checkTransactions),
    each('every span has its parent, across the processes too', checkParents),
    each('every failure is one error event with all its causes', checkErrors),
    each('every error is linked to the span in which it happened', checkErrorSpan),
    each('every event has the user and the tag of its own request', checkScopes),
    { what: 'every envelope is well-formed', problems: receiver.violations },
    { what: 'nothing was lost', problems: receiver.discards().map((discard) => JSON.stringify(discard)) },
  ];
}

/** @typedef {{ visit: Visit, transactions: Json[], errors: Json[] }} Trace */

/** @param {Trace} trace */
function checkAnswer({ visit: { status, expectedStatus } }) {
  return status === expectedStatus ? [] : [`was answered with ${status}, not ${expectedStatus}`];
}

/** @param {Trace} trace */
function checkTransactions({ visit, transactions }) {
  const actual = transactions.map(({ server_name, transaction }) => `${server_name} ${transaction}`);
  const expected = Object.entries(EXPECTED[visit.kind].transactions).map(([service, name]) => `${service} ${name}`);
  return sameList(actual, expected) ? [] : [`became [${actual}], not [${expected}]`];
}

/** @param {Trace} trace */
function checkParents({ visit, transactions }) {
  const problems = [];
  for (const transaction of transactions) {
    const spanIds = new Set(spansOf(transaction).map(({ span_id }) => span_id));
    const orphans = transaction['spans'].filter((/** @type {Json} */ span) => !spanIds.has(span['parent_span_id']));
    problems.push(...orphans.map((/** @type {Json} */ { description }) => `has the orphan ${description}`));
  }
  const storefront = transactions.find(({ server_name }) => server_name === 'storefront');
  const payment = transactions.find(({ server_name }) => server_name === 'payment');
  if (storefront?.['contexts'].trace.parent_span_id !== undefined) problems.push('has a root with a parent');
  if (visit.kind === 'product') return problems;
  const calls = storefront?.['spans'].filter((/** @type {Json} */ { op }) => op === 'http.client') ?? [];
  if (calls.length !== 1) problems.push(`has ${calls.length} outgoing requests`);
  if (payment?.['contexts'].trace.parent_span_id !== calls[0]?.span_id) problems.push('has payment under another span');
  return problems;
}

/** @param {Trace} trace */
function checkErrors({ visit, errors }) {
  const chains = errors.map(({ server_name, exception }) => `${server_name} ${exception?.values.map(typeOf)}`);
  const { error } = EXPECTED[visit.kind];
  const expected = error === undefined ? [] : [`${error.service} ${error.chain}`];
  return sameList(chains, expected) ? [] : [`has the errors [${chains}], not [${expected}]`];
}

/** @param {Trace} trace */
function checkErrorSpan({ visit, transactions, errors }) {
  const spans = transactions.flatMap(spansOf);
  const expected = EXPECTED[visit.kind].error?.span;
  return errors.flatMap(({ contexts }) => {
    const span = spans.find(({ span_id }) => span_id === contexts.trace.span_id)?.['description'];
    return span === expected ? [] : [`has its error in ${span}, not in ${expected}`];
  });
}

/** @param {Trace} trace */
function checkScopes({ visit, transactions, errors }) {
  return [...transactions, ...errors].flatMap(({ user, tags, server_name, type = 'error' }) => {
    const expected = JSON.stringify({ user: visit.user, tags: { [visit.tag]: visit.tagValue } });
    const actual = JSON.stringify({ user: user?.id, tags: tags ?? {} });
    return actual === expected ? [] : [`has in ${server_name} the ${type} of ${actual}`];
  });
}

/** The root and the other spans. @param {Json} transaction @returns {Json[]} */
function spansOf({ transaction, contexts, spans }) {
  return [{ ...contexts.trace, description: transaction }, ...spans];
}

/**
 * @param {Json[]} events
 * @returns {Map<string, Json[]>}
 */
function groupByTrace(events) {
  const groups = new Map();
  for (const event of events) groups.set(traceIdOf(event), [...(groups.get(traceIdOf(event)) ?? []), event]);
  return groups;
}

/** @param {Json} event */
const traceIdOf = (event) => event['contexts']?.trace?.trace_id;

/** @param {Json} exception */
const typeOf = ({ type }) => type;

/**
 * @param {string[]} actual in any order
 * @param {string[]} expected
 */
function sameList(actual, expected) {
  return actual.toSorted().join() === expected.toSorted().join();
}
