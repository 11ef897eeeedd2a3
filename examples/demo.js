// npm run demo: the receiver, both services of the shop, a few hundred concurrent requests, and then checks that
// each request became exactly one distributed trace and each failure exactly one error event linked to its span.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { renderCounts, renderError, renderTrace, startReceiver } from 'faultline/receiver';
import { renderTable } from './render-table.js';
import { customers, sendAll } from './shop/customers.js';
import { verify } from './shop/verify.js';

const REQUESTS = Number(process.env['DEMO_REQUESTS'] ?? 300);
const CONCURRENCY = Number(process.env['DEMO_CONCURRENCY'] ?? 64);
const STOP_MILLIS = 10_000;

const receiver = await startReceiver();
const payment = await startService('payment');
const storefront = await startService('storefront', { PAYMENT_URL: payment.url });

const startedMillis = performance.now();
const visits = await sendAll(storefront.url, customers(REQUESTS), CONCURRENCY);
const seconds = (performance.now() - startedMillis) / 1000;

const exitCodes = [await storefront.stop(), await payment.stop()];
await receiver.close();

const checks = verify(visits, receiver);
checks.push({
  what: 'both services exited on their own',
  problems: exitCodes.filter((code) => code !== 0).map(String),
});

for (const kind of ['product', 'declined', 'timeout']) printExample(kind);
printSummary();
process.exitCode = checks.some(({ problems }) => problems.length > 0) ? 1 : 0;

/**
 * @param {string} name
 * @param {Record<string, string>} [env]
 */
async function startService(name, env = {}) {
  const child = fork(new URL(`./shop/${name}.js`, import.meta.url), {
    execArgv: ['--import', new URL('./shop/instrument.js', import.meta.url).href],
    env: { ...process.env, ...env, SERVICE_NAME: name, PORT: '0', FAULTLINE_DSN: receiver.dsn },
  });
  const exited = once(child, 'exit');
  const [message] = await Promise.race([once(child, 'message'), exited.then(() => [undefined])]);
  if (message === undefined) throw new Error(`${name} did not start`);
  const stop = async () => {
    if (child.connected) child.disconnect();
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MILLIS);
    const [code, signal] = await exited;
    clearTimeout(timer);
    return code ?? signal;
  };
  return { url: message.url, stop };
}

/** @param {string} kind */
function printExample(kind) {
  const example = visits.filter((visit) => visit.kind === kind).slice(0, 1);
  const errors = partOf(receiver.events, example);
  const transactions = partOf(receiver.transactions, example);
  if (transactions.length > 0) console.log(`${renderTrace(transactions, errors)}\n`);
  for (const error of errors) console.log(`${renderError(error)}\n`);
}

function printSummary() {
  const kinds = [...new Set(visits.map(({ kind }) => kind))];
  const rows = kinds.map((kind) => {
    const sent = visits.filter((visit) => visit.kind === kind);
    const transactions = partOf(receiver.transactions, sent);
    const spans = transactions.reduce((total, { spans }) => total + spans.length + 1, 0);
    return [kind, sent.length, transactions.length, spans, partOf(receiver.events, sent).length];
  });
  console.log(`${renderTable(['requests', 'sent', 'transactions', 'spans', 'errors'], rows)}\n`);
  console.log(
    `${renderTable(
      ['check', 'result'],
      checks.map(({ what, problems }) => [what, verdict(problems)]),
    )}\n`,
  );
  console.log(renderCounts(receiver.counts(), receiver.discards()));
  console.log(`${visits.length} requests in ${seconds.toFixed(1)} s, ${CONCURRENCY} at a time`);
}

/**
 * The events in the traces of these visits.
 *
 * @param {import('faultline/receiver').Json[]} events
 * @param {import('./shop/customers.js').Visit[]} some
 */
function partOf(events, some) {
  const traceIds = new Set(some.map(({ traceId }) => traceId));
  return events.filter(({ contexts }) => traceIds.has(contexts?.trace?.trace_id));
}

/** @param {string[]} problems */
function verdict(problems) {
  if (problems.length === 0) return 'ok';
  return `FAILED ${problems.length} times: ${problems.slice(0, 3).join('; ')}`;
}
