// A local destination that prints every error and every distributed trace that arrives, and what was discarded.
//
//   node examples/receiver/index.js
//   FAULTLINE_DSN=<what it prints> node your-service.js
//
// Notice that a trace is one waterfall although several processes send its parts at different times.
import { renderCounts, renderError, renderTrace } from './print.js';
import { startReceiver } from './receiver.js';

/** A trace is printed once none of its parts has come for this long. */
const QUIET_MILLIS = 1000;

/** @typedef {Record<string, any>} Json */

/** @type {Map<string, { transactions: Json[], errors: Json[], timer?: NodeJS.Timeout }>} */
const openTraces = new Map();

const receiver = await startReceiver({ port: Number(process.env['PORT'] ?? 0), onEnvelope: show });
console.log(`listening; FAULTLINE_DSN=${receiver.dsn}\n`);

/** @param {import('./read-request.js').ReceivedEnvelope} envelope */
function show({ items }) {
  for (const { headers, json = {} } of items) {
    if (headers.type === 'event') {
      print(renderError(json));
      collect(json, 'errors');
    } else if (headers.type === 'transaction') {
      collect(json, 'transactions');
    } else if (headers.type === 'client_report') {
      print('client report');
    }
  }
  for (const violation of receiver.violations.splice(0)) print(`violation: ${violation}`);
}

/**
 * @param {Json} event
 * @param {'transactions' | 'errors'} kind
 */
function collect(event, kind) {
  const traceId = event['contexts']?.trace?.trace_id;
  const open = openTraces.get(traceId) ?? { transactions: [], errors: [] };
  openTraces.set(traceId, open);
  open[kind].push(event);
  clearTimeout(open.timer);
  open.timer = setTimeout(() => {
    openTraces.delete(traceId);
    if (open.transactions.length > 0) print(renderTrace(open.transactions, open.errors));
  }, QUIET_MILLIS);
}

/** @param {string} text */
function print(text) {
  console.log(`${text}\n${renderCounts(receiver.counts(), receiver.discards())}\n`);
}
