import type { Envelope } from '../model/envelope.js';

/** How envelopes are written into requests and into the store on disk, and read from there. */
export interface WireFormat {
  /** Media type of what `serialize` returns; the `Content-Type` header of each request. */
  readonly contentType: string;
  /**
   * Called at most once per set of items. Must not throw. May replace the payload of a transaction that no user code sees
   * by its text, and changes nothing else of the envelope.
   */
  readonly serialize: (envelope: Envelope) => string | Uint8Array;
  /** Reads what `serialize` has returned; payloads stay as they are sent. Returns `undefined` for anything else. */
  readonly parse: (body: Uint8Array) => Envelope | undefined;
}
