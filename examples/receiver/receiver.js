import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inbox } from './inbox.js';
import { PROJECT_ID, readRequest } from './read-request.js';

const PUBLIC_KEY_BYTES = 16;

/** @typedef {import('./read-request.js').ReceivedEnvelope} ReceivedEnvelope */
/** @typedef {import('./read-request.js').ReceivedRequest} ReceivedRequest */

/**
 * @typedef {object} Answer
 * @property {number} [statusCode] 200 when absent
 * @property {http.OutgoingHttpHeaders} [headers]
 * @property {string} [body]
 * @property {number} [delayMillis] time until the answer
 * @property {boolean} [hang] never answer
 * @property {boolean} [drop] close the connection in place of an answer
 */

/** @typedef {(request: ReceivedRequest) => Answer | undefined | Promise<Answer | undefined>} Respond */

/**
 * @typedef {object} ReceiverOptions
 * @property {number} [port] 0, the default, takes a free one
 * @property {string} [path] of the DSN, before the project, with a leading slash
 * @property {string} [tunnelPath] takes envelopes that name their destination in the `dsn` header, too
 * @property {Answer | Respond} [respond] what to answer to whatever is acceptable; 200 when absent
 * @property {(envelope: ReceivedEnvelope, request: ReceivedRequest) => void} [onEnvelope] called with each received one
 */

/**
 * Starts an ingestion server on 127.0.0.1 that keeps everything it gets in memory.
 *
 * @param {ReceiverOptions} [options]
 * @returns {Promise<Receiver>} listening
 */
export async function startReceiver(options = {}) {
  const receiver = new Receiver(options);
  await receiver.listen(options.port ?? 0);
  return receiver;
}

export class Receiver extends Inbox {
  #options;
  #respond;
  #publicKey = randomBytes(PUBLIC_KEY_BYTES).toString('hex');
  #server = http.createServer((request, response) => void this.#serve(request, response));
  /** @type {Set<() => void>} */
  #waiting = new Set();

  /** @param {ReceiverOptions} options */
  constructor(options) {
    super();
    this.#options = options;
    this.#respond = options.respond;
  }

  /** @param {number} port */
  async listen(port) {
    await new Promise((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', () => resolve(undefined));
    });
  }

  get port() {
    return /** @type {import('node:net').AddressInfo} */ (this.#server.address()).port;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Where envelopes are to be sent, with the key that is asked for. */
  get dsn() {
    return `http://${this.#publicKey}@127.0.0.1:${this.port}${this.#options.path ?? ''}/${PROJECT_ID}`;
  }

  /**
   * Changes the answers from now on.
   *
   * @param {Answer | Respond} [respond] 200 when absent
   */
  respondWith(respond) {
    this.#respond = respond;
  }

  /**
   * Waits until the predicate holds; it is called again after each request.
   *
   * @template T
   * @param {(receiver: this) => T} predicate
   * @param {number} [timeoutMillis]
   * @returns {Promise<T>} the first truthy result; rejects when time is up
   */
  async waitFor(predicate, timeoutMillis = 5000) {
    const now = predicate(this);
    if (now) return now;
    return new Promise((resolve, reject) => {
      const finish = (/** @type {() => void} */ settle) => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        settle();
      };
      const look = () => {
        try {
          const result = predicate(this);
          if (result) finish(() => resolve(result));
        } catch (error) {
          finish(() => reject(error));
        }
      };
      const timer = setTimeout(() => finish(() => reject(this.#timeoutError(predicate, timeoutMillis))), timeoutMillis);
      this.#waiting.add(look);
    });
  }

  /** Stops at once; requests without an answer lose their connection. */
  async close() {
    if (!this.#server.listening) return;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /**
   * @param {http.IncomingMessage} incoming
   * @param {http.ServerResponse} response
   */
  async #serve(incoming, response) {
    try {
      const { request, violations, refusal } = await readRequest(incoming, {
        publicKey: this.#publicKey,
        path: this.#options.path,
        tunnelPath: this.#options.tunnelPath,
      });
      this.requests.push(request);
      this.violations.push(...violations);
      const answer = refusal === undefined ? await this.#answerTo(request) : refuse(refusal, violations);
      if (answer.delayMillis) await sleep(answer.delayMillis);
      if (answer.drop) response.destroy();
      // A sender that disconnected while waiting never gets the answer, and counts its envelope as lost.
      if (!answer.hang && !response.destroyed) this.#answer(request, answer, response);
    } catch (error) {
      if (!incoming.errored) this.violations.push(String(error));
      response.destroy();
    }
    for (const look of [...this.#waiting]) look();
  }

  /** @param {ReceivedRequest} request */
  async #answerTo(request) {
    return (typeof this.#respond === 'function' ? await this.#respond(request) : this.#respond) ?? {};
  }

  /**
   * @param {ReceivedRequest} request
   * @param {Answer} answer
   * @param {http.ServerResponse} response
   */
  #answer(request, { statusCode = 200, headers, body }, response) {
    const { envelope } = request;
    request.statusCode = statusCode;
    if (envelope !== undefined && statusCode >= 200 && statusCode < 300) {
      this.envelopes.push(envelope);
      this.#options.onEnvelope?.(envelope, request);
    }
    response.writeHead(statusCode, { 'content-type': 'application/json', ...headers });
    response.end(body ?? JSON.stringify({ id: envelope?.headers['event_id'] }));
  }

  /**
   * @param {unknown} predicate
   * @param {number} timeoutMillis
   */
  #timeoutError(predicate, timeoutMillis) {
    const state = JSON.stringify({
      received: this.counts(),
      requests: this.requests.length,
      violations: this.violations,
    });
    return new Error(`not within ${timeoutMillis} ms: ${predicate}; ${state}`);
  }
}

/**
 * @param {number} statusCode
 * @param {string[]} violations
 * @returns {Answer}
 */
function refuse(statusCode, violations) {
  const detail = violations.join('; ').replaceAll(/[^\x20-\x7e]/g, '?');
  return { statusCode, headers: { 'x-sentry-error': detail }, body: JSON.stringify({ detail }) };
}
