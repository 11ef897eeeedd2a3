import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inbox } from './inbox.js';
import { PROJECT_ID, readRequest } from './read-request.js';
import type { ReceivedEnvelope, ReceivedRequest } from './received.js';

const PUBLIC_KEY_BYTES = 16;

export interface Answer {
  /** @default 200 */
  readonly statusCode?: number;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string;
  /** Time until the answer. */
  readonly delayMillis?: number;
  /** Never answers. */
  readonly hang?: boolean;
  /** Closes the connection in place of an answer. */
  readonly drop?: boolean;
}

export type Respond = (request: ReceivedRequest) => Answer | undefined | Promise<Answer | undefined>;

export interface ReceiverOptions {
  /** 0 takes a free one. @default 0 */
  readonly port?: number;
  /**
   * The key of the DSN, of letters, digits and `_`. @default a random one, so that nothing arrives that an earlier run has
   * stored for a receiver on the same port
   */
  readonly publicKey?: string;
  /** Of the DSN, before the project, with a leading slash. */
  readonly path?: string;
  /** Takes envelopes that name their destination in the `dsn` header, too. */
  readonly tunnelPath?: string;
  /** What to answer to whatever is acceptable. @default 200 */
  readonly respond?: Answer | Respond;
  /** Called with each envelope that was accepted. */
  readonly onEnvelope?: (envelope: ReceivedEnvelope, request: ReceivedRequest) => void;
}

/** Starts a destination on 127.0.0.1 that keeps everything it gets in memory. Resolves when it listens. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const receiver = new Receiver(options);
  await receiver.listen(options.port ?? 0);
  return receiver;
}

/** A destination for tests: keeps what arrives, checks it strictly, and answers as it is configured. */
export class Receiver extends Inbox {
  readonly #options: ReceiverOptions;
  #respond: Answer | Respond | undefined;
  readonly #publicKey: string;
  #port = 0;
  readonly #server = http.createServer((request, response) => {
    // Never rejects.
    this.#serve(request, response).then(undefined, () => undefined);
  });
  readonly #waiting = new Set<() => void>();

  constructor(options: ReceiverOptions) {
    super();
    this.#options = options;
    this.#publicKey = options.publicKey ?? randomBytes(PUBLIC_KEY_BYTES).toString('hex');
    this.#respond = options.respond;
  }

  async listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Known from `listen` on, also once it is closed. */
  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Where envelopes are to be sent, with the key that is asked for. */
  get dsn(): string {
    return `http://${this.#publicKey}@127.0.0.1:${this.port}${this.#options.path ?? ''}/${PROJECT_ID}`;
  }

  /**
   * Changes the answers from now on.
   *
   * @param respond 200 when absent
   */
  respondWith(respond?: Answer | Respond): void {
    this.#respond = respond;
  }

  /**
   * Waits until the predicate holds; it is called again after each request.
   *
   * @returns the first truthy result; rejects when time is up
   */
  async waitFor<T>(predicate: (receiver: this) => T, timeoutMillis = 5000): Promise<NonNullable<T>> {
    const now = predicate(this);
    if (now) return now;
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
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
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(incoming: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    try {
      const { path, tunnelPath } = this.#options;
      const expected = { publicKey: this.#publicKey, path, tunnelPath };
      const { request, violations, refusal } = await readRequest(incoming, expected);
      this.requests.push(request);
      this.violations.push(...violations);
      const answer = refusal === undefined ? await this.#chooseAnswer(request) : refuse(refusal, violations);
      if (answer.delayMillis) await sleep(answer.delayMillis);
      if (answer.drop) response.destroy();
      // A sender that disconnected while waiting never gets the answer, and counts its envelope as lost.
      if (!answer.hang && !response.destroyed) this.#writeAnswer(request, answer, response);
    } catch (error) {
      if (!incoming.errored) this.violations.push(String(error));
      response.destroy();
    }
    for (const look of [...this.#waiting]) look();
  }

  async #chooseAnswer(request: ReceivedRequest): Promise<Answer> {
    return (typeof this.#respond === 'function' ? await this.#respond(request) : this.#respond) ?? {};
  }

  #writeAnswer(request: ReceivedRequest, answer: Answer, response: http.ServerResponse): void {
    const { statusCode = 200, headers, body } = answer;
    const { envelope } = request;
    request.statusCode = statusCode;
    if (envelope !== undefined && statusCode >= 200 && statusCode < 300) {
      this.envelopes.push(envelope);
      this.#options.onEnvelope?.(envelope, request);
    }
    response.writeHead(statusCode, { 'content-type': 'application/json', ...headers });
    response.end(body ?? JSON.stringify({ id: envelope?.headers['event_id'] }));
  }

  #timeoutError(predicate: unknown, timeoutMillis: number): Error {
    const { requests, violations } = this;
    const state = JSON.stringify({ received: this.counts(), requests: requests.length, violations });
    return new Error(`not within ${timeoutMillis} ms: ${predicate}; ${state}`);
  }
}

function refuse(statusCode: number, violations: readonly string[]): Answer {
  const detail = violations.join('; ').replaceAll(/[^\x20-\x7e]/g, '?');
  return { statusCode, headers: { 'x-sentry-error': detail }, body: JSON.stringify({ detail }) };
}
