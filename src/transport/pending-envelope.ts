import type { TransportOptions, TransportResponse } from '../model/contracts.js';
import type { Envelope, EnvelopeItem } from '../model/envelope.js';
import { serializeEnvelope } from './envelope.js';

/** What became of a parcel. */
export type Outcome =
  /** The destination answered, whatever it said. */
  | { readonly kind: 'answered'; readonly response: TransportResponse }
  /** No answer came. */
  | { readonly kind: 'unreachable'; readonly error: unknown }
  /** A stage let all of it go; `Drop` has been told of every item. */
  | { readonly kind: 'dropped' };

export const DROPPED: Outcome = { kind: 'dropped' };

/**
 * One stage of a transport; each wraps the next. Called once per parcel; the promise never rejects, and settles after
 * the ones of the stages below.
 */
export type Send = (parcel: PendingEnvelope) => Promise<Outcome>;

/** Told by a stage of items that it lets go, once per item. */
export type Drop = (
  reason: Parameters<TransportOptions['recordDroppedEvent']>[0],
  items: readonly EnvelopeItem[],
) => void;

/** An envelope on its way through the stages. It is serialized at most once, and only if some stage needs that. */
export class PendingEnvelope {
  #envelope: Envelope;
  #body: string | Uint8Array | undefined;

  constructor(envelope: Envelope) {
    this.#envelope = envelope;
  }

  get items(): readonly EnvelopeItem[] {
    return this.#envelope[1];
  }

  /** Whether it carries nothing of the host, only what the SDK says about itself. */
  get isReport(): boolean {
    return this.items.every(([{ type }]) => type === 'client_report');
  }

  /** The wire format. */
  get body(): string | Uint8Array {
    this.#body ??= serializeEnvelope(this.#envelope);
    return this.#body;
  }

  /** Size of the wire format once that was made, 0 before; in characters where it is text, which is close enough. */
  get size(): number {
    return this.#body?.length ?? 0;
  }

  /** Leaves the other items behind. The envelope that was handed in stays as it was. */
  retain(items: EnvelopeItem[]): void {
    this.#envelope = [this.#envelope[0], items];
    this.#body = undefined;
  }
}
