import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inbox, PROJECT_ID, readRequest } from 'faultline/receiver';

const KEY = 'f'.repeat(32);

/**
 * @typedef {object} Answer
 * @property {number} [statusCode] 200 when absent
 * @property {http.OutgoingHttpHeaders} [headers]
 * @property {number} [delayMillis] time until the answer
 * @property {boolean} [hangs] never answers
 * @property {boolean} [resets] resets the connection in the middle of the body
 * @property {boolean} [truncates] accepts the envelope, and ends the connection in the middle of the answer
 * @property {number} [maxBytes] refuses larger bodies with 413
 */

/** @typedef {import('faultline/receiver').ReceivedEnvelope} Envelope */
/** @typedef {(count: number) => Answer} GetAnswer called with the number of the request, from 1 */

/**
 * A destination on a local port that misbehaves as it is told to. Only what it accepted counts as received.
 */
export class Ingest extends Inbox {
  /** @type {GetAnswer} */
  #getAnswer;
  #onEnvelope;
  #server;
  #port = 0;
  #count = 0;

  /**
   * @param {object} [options]
   * @param {GetAnswer} [options.getAnswer] accepts everything when absent
   * @param {{ key: string, cert: string }} [options.tls]
   * @param {(envelope: Envelope) => void} [options.onEnvelope] gets what was accepted; the inbox then keeps nothing
   */
  constructor({ getAnswer = () => ({}), tls, onEnvelope } = {}) {
    super();
    this.#getAnswer = getAnswer;
    this.#onEnvelope = onEnvelope;
    const serve = (/** @type {http.IncomingMessage} */ incoming, /** @type {http.ServerResponse} */ response) =>
      void this.#serve(incoming, response);
    this.#server = tls ? https.createServer(tls, serve) : http.createServer(serve);
  }

  /** Opens the port; the same one again, after `close`. */
  async open() {
    if (this.#server.listening) return;
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = /** @type {import('node:net').AddressInfo} */ (this.#server.address()).port;
  }

  /** Refuses connections from now on, and ends those that it has. */
  async close() {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /** Accepts everything from now on. */
  async heal() {
    this.#getAnswer = () => ({});
    await this.open();
  }

  /** @param {string} host @returns {string} the DSN */
  dsnAt(host) {
    const protocol = this.#server instanceof https.Server ? 'https' : 'http';
    return `${protocol}://${KEY}@${host}:${this.#port}/${PROJECT_ID}`;
  }

  /**
   * @param {http.IncomingMessage} incoming
   * @param {http.ServerResponse} response
   */
  async #serve(incoming, response) {
    this.#count += 1;
    const answer = this.#getAnswer(this.#count);
    if (answer.resets) {
      incoming.once('data', () => incoming.socket.resetAndDestroy()).once('error', () => undefined);
      return;
    }
    try {
      const { request, violations, refusal } = await readRequest(incoming, { publicKey: KEY });
      if (!this.#onEnvelope) this.requests.push(request);
      this.violations.push(...violations);
      if (answer.hangs) return;
      if (answer.delayMillis) await sleep(answer.delayMillis);
      const isTooLarge = request.wireBytes > (answer.maxBytes ?? Number.POSITIVE_INFINITY);
      const statusCode = refusal ?? (isTooLarge ? 413 : (answer.statusCode ?? 200));
      request.statusCode = statusCode;
      if (statusCode < 300 && request.envelope) this.#accept(request.envelope);
      if (answer.truncates) {
        response.writeHead(statusCode, { 'content-length': 100 }).write('{');
        setTimeout(() => response.destroy(), 10);
        return;
      }
      response.writeHead(statusCode, answer.headers).end('{}');
    } catch (error) {
      // The sender may give up or be killed at any time.
      if (!incoming.errored) this.violations.push(String(error));
      response.destroy();
    }
  }

  /** @param {Envelope} envelope */
  #accept(envelope) {
    if (this.#onEnvelope) this.#onEnvelope(envelope);
    else this.envelopes.push(envelope);
  }
}
