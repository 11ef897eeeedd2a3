import { isObject } from '../../receiver/read-json.js';
import type { Json, ReceivedEnvelope } from '../../receiver/received.js';
import { summarize } from './summarize.js';
import type { EventSummary } from './summary.js';

export const MAX_EVENTS = 20_000;
const MAX_BYTES = 256 * 1024 * 1024;

interface Entry {
  readonly summary: EventSummary;
  readonly payload: Buffer;
}

/** Keeps the newest events, as the bytes that arrived, within a limit of number and size. */
export class EventStore {
  readonly #entries = new Map<number, Entry>();
  readonly #numbersOf = new Map<string, Set<number>>();
  readonly #folder: string;
  readonly #limits: { readonly maxEvents: number; readonly maxBytes: number };
  #bytes = 0;
  #last = 0;

  /** @param folder paths below it are shown without it */
  constructor(folder: string, { maxEvents = MAX_EVENTS, maxBytes = MAX_BYTES } = {}) {
    this.#folder = folder;
    this.#limits = { maxEvents, maxBytes };
  }

  /** @returns summaries of the events in the envelope */
  add({ items }: ReceivedEnvelope): { summary: EventSummary; event: Json }[] {
    const added = items.flatMap(({ headers, payload, json }) => {
      const kind = headers.type === 'event' ? 'error' : headers.type;
      if ((kind !== 'error' && kind !== 'transaction') || !isObject(json)) return [];
      this.#last += 1;
      const summary = summarize(json, kind, this.#last, Date.now(), this.#folder);
      // The payload is a view on the whole request.
      this.#keep({ summary, payload: Buffer.from(payload) });
      return [{ summary, event: json }];
    });
    this.#makeRoom();
    return added;
  }

  /** Oldest first. */
  *summariesAfter(number: number): Generator<EventSummary> {
    for (const { summary } of this.#entries.values()) if (summary.number > number) yield summary;
  }

  /** The event as JSON. */
  payloadOf(number: number): Buffer | undefined {
    return this.#entries.get(number)?.payload;
  }

  /** The events of a trace, oldest first. */
  eventsOf(traceId: string): { summary: EventSummary; event: Json }[] {
    return this.#entriesOf(traceId).map(({ summary, payload }) => ({ summary, event: JSON.parse(payload.toString()) }));
  }

  /** The newest errors of a trace, oldest first. */
  errorsOf(traceId: string, max: number): Json[] {
    const errors = this.#entriesOf(traceId).filter(({ summary }) => summary.kind === 'error');
    return errors.slice(-max).map(({ payload }) => JSON.parse(payload.toString()));
  }

  #entriesOf(traceId: string): Entry[] {
    return [...(this.#numbersOf.get(traceId) ?? [])].map((number) => this.#entries.get(number)!);
  }

  #keep(entry: Entry): void {
    const { number, traceId } = entry.summary;
    this.#entries.set(number, entry);
    this.#bytes += entry.payload.length;
    if (traceId === '') return;
    const numbers = this.#numbersOf.get(traceId);
    if (numbers) numbers.add(number);
    else this.#numbersOf.set(traceId, new Set([number]));
  }

  #makeRoom(): void {
    const { maxEvents, maxBytes } = this.#limits;
    for (const [number, { summary, payload }] of this.#entries) {
      if (this.#entries.size <= maxEvents && this.#bytes <= maxBytes) return;
      this.#entries.delete(number);
      this.#bytes -= payload.length;
      const numbers = this.#numbersOf.get(summary.traceId);
      numbers?.delete(number);
      if (numbers?.size === 0) this.#numbersOf.delete(summary.traceId);
    }
  }
}
