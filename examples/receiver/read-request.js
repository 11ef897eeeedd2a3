import { buffer as readBytes } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { checkEnvelope } from './check-envelope.js';
import { parseEnvelope } from './parse-envelope.js';

const ENVELOPE_TYPE = 'application/x-sentry-envelope';
export const PROJECT_ID = '1';

/** @typedef {Record<string, any>} Json */
/** @typedef {import('./parse-envelope.js').ParsedItem & { json?: Json }} ReceivedItem `json` for all but attachments */
/** @typedef {{ headers: Json, items: ReceivedItem[] }} ReceivedEnvelope */

/**
 * @typedef {object} ReceivedRequest
 * @property {string} method
 * @property {string} path without the query
 * @property {URLSearchParams} query
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {number} wireBytes length of the body as it was sent
 * @property {Buffer} body decompressed
 * @property {ReceivedEnvelope} [envelope] absent when the body is none
 * @property {number} [statusCode] what was answered; absent while, or because, there is no answer
 */

/**
 * @typedef {object} Reading
 * @property {ReceivedRequest} request
 * @property {string[]} violations what a strict server objects to; one sentence each
 * @property {number} [refusal] status code, when the request cannot be accepted
 */

/**
 * Reads and checks one request.
 *
 * @param {import('node:http').IncomingMessage} incoming
 * @param {{ publicKey: string, path?: string, tunnelPath?: string }} expected
 * @returns {Promise<Reading>} rejects when the connection ends before the body does
 */
export async function readRequest(incoming, { publicKey, path = '', tunnelPath }) {
  const { method = '', headers } = incoming;
  const { pathname, searchParams: query } = new URL(incoming.url ?? '/', 'http://127.0.0.1');
  const wire = await readBytes(incoming);
  /** @type {ReceivedRequest} */
  const request = { method, path: pathname, query, headers, wireBytes: wire.length, body: wire };
  /** @type {string[]} */
  const violations = [];
  const refuse = (/** @type {number} */ refusal, /** @type {string} */ violation) => {
    return { request, violations: [...violations, violation], refusal };
  };

  const isTunnel = pathname === tunnelPath;
  if (!isTunnel && pathname !== `${path}/api/${PROJECT_ID}/envelope/`) return refuse(404, `no endpoint: ${pathname}`);
  if (method !== 'POST') return refuse(405, `${method} in place of POST`);
  if (headers['content-type'] !== ENVELOPE_TYPE) violations.push(`content-type is ${headers['content-type']}`);
  try {
    request.body = await decompress(wire, headers['content-encoding']);
    request.envelope = readEnvelope(request.body);
  } catch (error) {
    return refuse(400, String(error));
  }
  const { envelope } = request;
  const key = isTunnel ? keyOfDsn(envelope.headers['dsn']) : keyOfRequest(request);
  if (key !== publicKey) return refuse(403, `the key is ${key}`);
  violations.push(...checkEnvelope(envelope));
  return { request, violations };
}

/** @type {Record<string, (bytes: Buffer) => Promise<Buffer>>} */
const DECODERS = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  // With the zlib header or without: servers disagree about what the name means, so both are sent.
  deflate: (bytes) => promisify(inflate)(bytes).catch(() => promisify(inflateRaw)(bytes)),
  identity: async (bytes) => bytes,
};

/**
 * @param {Buffer} bytes
 * @param {string} [encoding] the content-encoding header
 */
async function decompress(bytes, encoding = 'identity') {
  const decode = DECODERS[encoding];
  if (decode === undefined) throw new Error(`content-encoding ${encoding} is unknown`);
  return decode(bytes);
}

/**
 * @param {Buffer} body
 * @returns {ReceivedEnvelope}
 */
function readEnvelope(body) {
  const { headers, items } = parseEnvelope(body);
  return { headers, items: items.map(readItem) };
}

/**
 * @param {import('./parse-envelope.js').ParsedItem} item
 * @returns {ReceivedItem}
 */
function readItem({ headers, payload }) {
  if (headers.type === 'attachment') return { headers, payload };
  return { headers, payload, json: JSON.parse(payload.toString()) };
}

/** @param {ReceivedRequest} request */
function keyOfRequest({ query, headers }) {
  const header = /^Sentry .*\bsentry_key=(\w+)/.exec(String(headers['x-sentry-auth']));
  return query.get('sentry_key') ?? header?.[1];
}

/** @param {unknown} dsn */
function keyOfDsn(dsn) {
  return URL.canParse(String(dsn)) ? new URL(String(dsn)).username : undefined;
}
