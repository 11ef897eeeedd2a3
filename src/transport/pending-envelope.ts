import { toIsoTime } from '../internal/clock.js';
import { type Envelope, type EnvelopeItem, firstTypeOf, isClientReport } from '../model/delivery/envelope.js';
import { type EnvelopeItemType, type Priority, traitsOf } from '../model/delivery/item-types.js';
import type { EnvelopeFile } from '../model/delivery/store.js';
import type { TransportOptions, TransportResponse } from '../model/delivery/transport.js';
import type { BodyParts, WireFormat } from './formats/wire-format.js';

/** By this much, `sent_at` may differ from the time of the request: most requests are made right after their envelope. */
const MAX_TIME_ERROR_MILLIS = 100;

/** What became of an envelope. */
export type Outcome =
  /** The destination answered, with whatever status. */
  | { readonly kind: 'answered'; readonly response: TransportResponse }
  /** No answer came. */
  | { readonly kind: 'unreachable'; readonly error: unknown }
  /** It cannot be serialized, now or later. */
  | { readonly kind: 'broken'; readonly error: unknown }
  /** It is in the store on disk, and counted as stored. */
  | { readonly kind: 'stored' }
  /** A stage dropped all items, and has reported each of them to its `Drop`. */
  | { readonly kind: 'dropped' };

export const DROPPED: Outcome = { kind: 'dropped' };
export const STORED: Outcome = { kind: 'stored' };

/**
 * One stage of a transport; each wraps the next. Called once per envelope; the promise never rejects, and settles after
 * those of the stages below.
 */
export type Send = (envelope: PendingEnvelope) => Promise<Outcome>;

/** Called by a stage with all items of an envelope that it drops. */
export type Drop = (
  reason: Parameters<TransportOptions['recordDroppedEvent']>[0],
  items: readonly EnvelopeItem[],
) => void;

/** An envelope on its way through the stages. It is serialized only if some stage needs that, and again only if items were left out since. */
export class PendingEnvelope {
  readonly #format: WireFormat;
  #envelope: Envelope;
  #body: string | Uint8Array | undefined;
  /** Present while it is serialized in parts. */
  #parts: BodyParts | undefined;
  /** Its file in the store on disk, if it has one. */
  file: EnvelopeFile | undefined;
  /** Called when items were left out. */
  onRetain: (() => void) | undefined;
  /** Whether it comes from the store on disk. */
  readonly isRecovered: boolean;

  /** @param file of an envelope that comes from the store on disk */
  constructor(envelope: Envelope, format: WireFormat, file?: EnvelopeFile) {
    this.#envelope = envelope;
    this.#format = format;
    this.file = file;
    this.isRecovered = file !== undefined;
  }

  get items(): readonly EnvelopeItem[] {
    return this.#envelope[1];
  }

  /** Whether it carries no data of the application, only what the SDK reports about itself. */
  get isReport(): boolean {
    return isClientReport(this.items);
  }

  /** `undefined` once no item is left. */
  get type(): EnvelopeItemType | undefined {
    return firstTypeOf(this.items);
  }

  get priority(): Priority {
    return traitsOf(this.type).priority;
  }

  /** @returns the body of its request */
  serialize(): string | Uint8Array {
    while (this.#parts) this.serializePart();
    this.#body ??= this.#format.serialize(this.#envelope);
    return this.#body;
  }

  /**
   * The body of a request that is made now. By `sent_at`, servers correct the times in an envelope: an old one, of an envelope
   * that has waited, would move them.
   */
  serializeAt(nowMillis: number): string | Uint8Array {
    const body = this.serialize();
    const { sent_at } = this.#envelope[0];
    const isOld = typeof sent_at === 'string' && Math.abs(nowMillis - Date.parse(sent_at)) >= MAX_TIME_ERROR_MILLIS;
    return isOld ? this.#format.setTimeOfSending(body, toIsoTime(nowMillis)) : body;
  }

  /**
   * Begins to serialize a large envelope in parts: what the application changes from now on is not sent.
   *
   * @returns whether parts are left to be serialized; false for an envelope that is not large
   */
  begin(): boolean {
    if (this.#body === undefined) this.#parts ??= this.#format.begin?.(this.#envelope);
    return this.#parts !== undefined;
  }

  /** Serializes the next part of an envelope that has begun. */
  serializePart(): void {
    const step = this.#parts?.steps.next();
    if (!step?.done) return;
    this.#body = step.value;
    this.#parts = undefined;
  }

  /** Whether parts are left to be serialized. */
  get hasParts(): boolean {
    return this.#parts !== undefined;
  }

  /** Begins to serialize it, or serializes it, so that later changes by the application are not sent. */
  freeze(): void {
    if (!this.begin()) this.serialize();
  }

  /** Length of the body once it was serialized, 0 before: bytes, or characters, which is close enough. */
  get size(): number {
    return this.#parts?.size ?? this.#body?.length ?? 0;
  }

  /** Keeps these items and leaves the others out. The envelope that was passed in is not changed. */
  retain(items: EnvelopeItem[]): void {
    this.#envelope = [this.#envelope[0], items];
    this.#body = undefined;
    this.#parts = undefined;
    this.onRetain?.();
  }

  /** One envelope for each of its items, with the same header. */
  split(): PendingEnvelope[] {
    const [headers, items] = this.#envelope;
    return items.map((item) => new PendingEnvelope([headers, [item]], this.#format));
  }
}
