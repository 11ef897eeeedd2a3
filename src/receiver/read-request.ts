import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { checkEnvelope } from './check-envelope.js';
import { type ParsedItem, parseEnvelope } from './parse-envelope.js';
import type { ReceivedEnvelope, ReceivedItem, ReceivedRequest } from './received.js';

const ENVELOPE_TYPE = 'application/x-sentry-envelope';
const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;
export const PROJECT_ID = '1';

/** What the requests of a receiver look like. */
export interface ExpectedRequest {
  readonly publicKey: string;
  /** Of the DSN, before the project, with a leading slash. */
  readonly path?: string;
  /** Takes envelopes that name their destination in their `dsn` header. */
  readonly tunnelPath?: string;
  /** Limit of a body, as it was sent and decompressed. @default 256 MiB */
  readonly maxBytes?: number;
}

export interface Reading {
  readonly request: ReceivedRequest;
  /** What a strict server objects to; one sentence each. */
  readonly violations: string[];
  /** Status code, when the request cannot be accepted. */
  readonly refusal?: number;
}

/**
 * Reads and checks one request.
 *
 * @returns rejects when the connection ends before the body does
 */
export async function readRequest(incoming: IncomingMessage, expected: ExpectedRequest): Promise<Reading> {
  const { publicKey, path = '', tunnelPath, maxBytes = DEFAULT_MAX_BYTES } = expected;
  const { method = '', headers } = incoming;
  const { pathname, searchParams: query } = readTarget(incoming.url);
  const wire = await readBytes(incoming, maxBytes);
  const body = wire ?? Buffer.alloc(0);
  const request: ReceivedRequest = { method, path: pathname, query, headers, wireBytes: body.length, body };
  const violations: string[] = [];
  const refuse = (refusal: number, violation: string): Reading => {
    return { request, violations: [...violations, violation], refusal };
  };

  const isTunnel = pathname === tunnelPath;
  if (!isTunnel && pathname !== `${path}/api/${PROJECT_ID}/envelope/`) return refuse(404, `no endpoint: ${pathname}`);
  if (method !== 'POST') return refuse(405, `${method} in place of POST`);
  if (wire === undefined) return refuse(413, `the body has more than ${maxBytes} bytes`);
  if (headers['content-type'] !== ENVELOPE_TYPE) violations.push(`content-type is ${headers['content-type']}`);
  try {
    request.body = await decompress(wire, headers['content-encoding'], maxBytes);
    request.envelope = toReceived(request.body);
  } catch (error) {
    return refuse(400, String(error));
  }
  const { envelope } = request;
  const key = isTunnel ? keyOfDsn(envelope.headers['dsn']) : keyOfRequest(request);
  if (key !== publicKey) return refuse(403, `the key is ${key}`);
  return { request, violations: [...violations, ...checkEnvelope(envelope)] };
}

/** A target that is not a URL has no endpoint. */
function readTarget(target = '/'): URL {
  const base = 'http://127.0.0.1';
  return URL.canParse(target, base) ? new URL(target, base) : new URL('/?', base);
}

/** Reads all, so that the sender gets an answer, and keeps nothing of a body that is too long. */
async function readBytes(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes > maxBytes) chunks.length = 0;
    else chunks.push(chunk);
  }
  return bytes > maxBytes ? undefined : Buffer.concat(chunks);
}

type Decode = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

const inflateWrapped: Decode = promisify<Buffer, ZlibOptions, Buffer>(inflate);
const inflateBare: Decode = promisify<Buffer, ZlibOptions, Buffer>(inflateRaw);

const DECODERS: Record<string, Decode> = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  br: (bytes, { maxOutputLength }) =>
    promisify<Buffer, { maxOutputLength?: number }, Buffer>(brotliDecompress)(bytes, { maxOutputLength }),
  // With the zlib header or without: servers disagree about what the name means, so both are sent.
  deflate: (bytes, options) => inflateWrapped(bytes, options).catch(() => inflateBare(bytes, options)),
  identity: async (bytes) => bytes,
};

/** @param encoding the content-encoding header */
async function decompress(bytes: Buffer, encoding = 'identity', maxOutputLength: number): Promise<Buffer> {
  const decode = DECODERS[encoding];
  if (decode === undefined) throw new Error(`content-encoding ${encoding} is unknown`);
  return decode(bytes, { maxOutputLength });
}

function toReceived(body: Buffer): ReceivedEnvelope {
  const { headers, items } = parseEnvelope(body);
  return { headers, items: items.map(readItem) };
}

function readItem({ headers, payload }: ParsedItem): ReceivedItem {
  if (headers.type === 'attachment') return { headers, payload };
  return { headers, payload, json: JSON.parse(payload.toString()) };
}

function keyOfRequest({ query, headers }: ReceivedRequest): string | undefined {
  const header = /^Sentry .*\bsentry_key=(\w+)/.exec(String(headers['x-sentry-auth']));
  return query.get('sentry_key') ?? header?.[1];
}

function keyOfDsn(dsn: unknown): string | undefined {
  return URL.canParse(String(dsn)) ? new URL(String(dsn)).username : undefined;
}
