import type { ServerResponse } from 'node:http';
import type { EventStore } from './event-store.js';
import type { EventSummary, Greeting } from './summary.js';

/** Most summaries in one message, so that a page can draw between two messages. */
const BATCH_SIZE = 500;
const BATCH_MILLIS = 50;
const HEARTBEAT_MILLIS = 15_000;
/** A page that does not read is disconnected; it asks again for what it missed. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

/** Sends summaries to the open pages, as server-sent events. */
export class PageStream {
  readonly #store: EventStore;
  readonly #greeting: Greeting;
  readonly #pages = new Set<ServerResponse>();
  readonly #heartbeat: NodeJS.Timeout;
  #waiting: EventSummary[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(store: EventStore, greeting: Greeting) {
    this.#store = store;
    this.#greeting = greeting;
    this.#heartbeat = setInterval(() => this.#sendAll(': still here\n\n'), HEARTBEAT_MILLIS).unref();
  }

  /**
   * Sends everything that is kept, and what arrives from now on.
   *
   * @param lastEventId of the last message that the page got before its connection broke
   */
  open(response: ServerResponse, lastEventId: string | undefined): void {
    this.#flush();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`retry: 1000\nevent: greeting\ndata: ${JSON.stringify(this.#greeting)}\n\n`);
    const [run, number] = lastEventId?.split('/') ?? [];
    let batch: EventSummary[] = [];
    for (const summary of this.#store.summariesAfter(run === this.#greeting.run ? Number(number) : 0)) {
      batch.push(summary);
      if (batch.length < BATCH_SIZE) continue;
      response.write(this.#messageOf(batch));
      batch = [];
    }
    if (batch.length > 0) response.write(this.#messageOf(batch));
    this.#pages.add(response);
    response.on('close', () => this.#pages.delete(response));
  }

  send(summary: EventSummary): void {
    if (this.#pages.size === 0) return;
    this.#waiting.push(summary);
    if (this.#waiting.length >= BATCH_SIZE) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), BATCH_MILLIS);
  }

  close(): void {
    this.#flush();
    clearInterval(this.#heartbeat);
    for (const page of this.#pages) page.end();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length > 0) this.#sendAll(this.#messageOf(this.#waiting));
    this.#waiting = [];
  }

  #sendAll(message: string): void {
    for (const page of this.#pages) {
      if (page.writableLength > MAX_UNREAD_BYTES) page.destroy();
      else page.write(message);
    }
  }

  #messageOf(summaries: readonly EventSummary[]): string {
    return `id: ${this.#greeting.run}/${summaries.at(-1)!.number}\ndata: ${JSON.stringify(summaries)}\n\n`;
  }
}
