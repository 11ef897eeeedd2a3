// An integration for a library that emits events. Notice that neither the library nor the jobs import Faultline; that
// every error says which job failed, what ran before, and how many jobs were waiting; and that closing the client
// removes all listeners.
import { EventEmitter } from 'node:events';
import { addBreadcrumb, close, init } from 'faultline';
import { renderCounts, renderError, startReceiver } from 'faultline/receiver';

/** @typedef {{ name: string, work: () => unknown }} Job */

/** Stands in for the library: runs its jobs one after the other. */
class Queue extends EventEmitter {
  /** @type {Job[]} */
  waiting = [];

  async run() {
    for (let job = this.waiting.shift(); job; job = this.waiting.shift()) {
      this.emit('started', job);
      try {
        await job.work();
      } catch (error) {
        this.emit('failed', job, error);
      }
    }
  }
}

/**
 * @param {Queue} queue
 * @param {{ level?: import('faultline').SeverityLevel }} [options] `level`: of errors that make a job fail
 * @returns {import('faultline').Integration}
 */
function queueIntegration(queue, { level = 'error' } = {}) {
  return {
    name: 'Queue',
    // Called once, by `init`. What it returns is called when the client closes.
    setup(client) {
      const onStarted = (/** @type {Job} */ { name }) =>
        addBreadcrumb({ category: 'queue', message: `${name} started` });
      const onFailed = (/** @type {Job} */ { name }, /** @type {unknown} */ error) => {
        client.captureException(error, {
          mechanism: { type: 'auto.queue', handled: true },
          captureContext: { level, tags: { job: name } },
        });
      };
      queue.on('started', onStarted).on('failed', onFailed);
      return () => queue.off('started', onStarted).off('failed', onFailed);
    },
    // Called for each event; returning `null` would drop it.
    processEvent(event) {
      event.contexts = { ...event.contexts, queue: { waiting: queue.waiting.length } };
      return event;
    },
  };
}

const receiver = await startReceiver();
const queue = new Queue();

init({ dsn: receiver.dsn, serverName: 'worker', integrations: [queueIntegration(queue, { level: 'warning' })] });

queue.waiting.push(
  { name: 'resize', work: () => undefined },
  { name: 'mail', work: () => Promise.reject(new Error('mailbox full')) },
  { name: 'index', work: () => undefined },
  { name: 'bill', work: () => Promise.reject(new Error('card expired')) },
);
await queue.run();

await close();

for (const error of receiver.events) {
  const trail = error.breadcrumbs.map((/** @type {{ message: string }} */ { message }) => message).join(', ');
  console.log(`${renderError(error)}\n  ${error.level}; ${trail}; ${error.contexts.queue.waiting} waiting\n`);
}
console.log(renderCounts(receiver.counts(), receiver.discards()));
console.log(`listeners left on the queue: ${queue.listenerCount('started') + queue.listenerCount('failed')}`);
await receiver.close();
