import type { Priority } from '../../model/delivery/item-types.js';

const MAX_SIZE = 64 * 1024 * 1024;

export interface RoomBounds {
  /** Envelopes waiting or in flight. */
  readonly maxEnvelopes: number;
  /**
   * Serialized size of all of them: bytes, or characters where a body is a string. An envelope is accepted while the
   * sum is below this, so a large one passes when it comes alone.
   *
   * @default 64 MiB
   */
  readonly maxSize?: number;
}

/** An entry of the queue, as far as it takes room. */
export interface Occupant {
  readonly envelope: { readonly priority: Priority; readonly size: number };
  /** 0 for client reports and recovered envelopes, of which there is one at a time. */
  readonly places: 0 | 1;
  /** The size counted so far. */
  size: number;
}

/** How much is in a queue, against its bounds. */
export class Room {
  readonly #maxEnvelopes: number;
  readonly #maxSize: number;
  #envelopes = 0;
  #size = 0;

  constructor({ maxEnvelopes, maxSize = MAX_SIZE }: RoomBounds) {
    this.#maxEnvelopes = maxEnvelopes;
    this.#maxSize = maxSize;
  }

  get isFull(): boolean {
    return this.#envelopes >= this.#maxEnvelopes || this.#size >= this.#maxSize;
  }

  /** Envelopes in flight cannot give up their places, and take none away from more important ones. */
  isFullFor(priority: Priority, inFlight: Iterable<Occupant>): boolean {
    if (!this.isFull) return false;
    let envelopes = this.#envelopes;
    for (const { envelope, places } of inFlight) if (envelope.priority > priority) envelopes -= places;
    return envelopes >= this.#maxEnvelopes || this.#size >= this.#maxSize;
  }

  /** Gives an entry its place. */
  enter({ places }: Occupant): void {
    this.#envelopes += places;
  }

  /** Counts the size that an entry has now. */
  measure(entry: Occupant): void {
    this.#size += entry.envelope.size - entry.size;
    entry.size = entry.envelope.size;
  }

  /** Takes the place of an entry back. */
  leave(entry: Occupant): void {
    this.#envelopes -= entry.places;
    this.#size -= entry.size;
    entry.size = 0;
  }
}
