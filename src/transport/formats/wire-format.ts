import type { Envelope } from '../../model/delivery/envelope.js';

/** The body of an envelope that is serialized in parts. */
export interface BodyParts {
  /** About how many bytes the body has. */
  readonly size: number;
  /** Each step serializes one part; the last returns the body. */
  readonly steps: Iterator<undefined, Uint8Array>;
}

/**
 * How envelopes are written into requests and into the store on disk, and read from there. `known-formats.ts` lists the
 * formats, and `model/delivery/own-requests.ts` their media types. Its functions should not throw: an envelope for which one
 * does is counted as lost by an error of the SDK.
 */
export interface WireFormat {
  /** Media type of what `serialize` returns; the `Content-Type` header of each request. */
  readonly contentType: string;
  /** Last part of the URL that the requests go to. */
  readonly path: string;
  /**
   * Called at most once per set of items. May replace the payload of a transaction that no user code sees by its text; must not
   * change anything else in the envelope.
   */
  readonly serialize: (envelope: Envelope) => string | Uint8Array;
  /** Replaces the envelope header `sent_at` in what `serialize` has returned. */
  readonly setTimeOfSending: (body: string | Uint8Array, sentAt: string) => string | Uint8Array;
  /**
   * Begins to serialize a large envelope in parts; `undefined` for other envelopes. Copies what it needs of the envelope at
   * this call.
   */
  readonly begin?: (envelope: Envelope) => BodyParts | undefined;
  /** Reads what `serialize` has returned; payloads stay as they are sent. Returns `undefined` for anything else. */
  readonly parse: (body: Uint8Array) => Envelope | undefined;
}
