import type { IncomingHttpHeaders } from 'node:http';
import type { ParsedItem } from './parse-envelope.js';

/** Parsed JSON of any sender. */
// biome-ignore lint/suspicious/noExplicitAny: members of JSON are read before they are known
export type Json = Record<string, any>;

/** An item of an envelope; `json` is absent for attachments. */
export type ReceivedItem = ParsedItem & { readonly json?: Json };

export interface ReceivedEnvelope {
  readonly headers: Json;
  readonly items: ReceivedItem[];
}

export interface ReceivedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Length of the body as it was sent. */
  readonly wireBytes: number;
  /** Decompressed. */
  body: Buffer;
  /** Absent when the body is not an envelope. */
  envelope?: ReceivedEnvelope;
  /** What was answered; absent until then, and if there is no answer. */
  statusCode?: number;
}

/** What a sender discarded, as its client reports say. */
export interface Discard {
  readonly reason: string;
  readonly category: string;
  readonly quantity: number;
}
