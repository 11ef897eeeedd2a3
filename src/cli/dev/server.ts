import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SDK_VERSION } from '../../internal/version.js';
import { discardsIn } from '../../receiver/read-json.js';
import { PROJECT_ID, readRequest } from '../../receiver/read-request.js';
import type { Discard, Json, ReceivedEnvelope } from '../../receiver/received.js';
import { createWaterfall, placeOf } from '../../receiver/render/waterfall.js';
import { DEFAULT_PORT, UsageError } from '../arguments.js';
import { type EventStore, MAX_EVENTS } from './event-store.js';
import { PageStream } from './page-stream.js';
import type { EventSummary } from './summary.js';

/** The key that the server asks for. It is not a secret: only this machine reaches the server. */
const PUBLIC_KEY = 'local';
const LOOPBACK = '127.0.0.1';
/** Of one request. */
const MAX_BYTES = 64 * 1024 * 1024;
const STREAM_PATH = '/api/stream';
const EVENT_PATH = /^\/api\/events\/(\d{1,15})$/;
const TRACE_PATH = /^\/api\/traces\/([^/]{1,100})$/;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Faultline</title>
<link rel="stylesheet" href="/page.css">
<link rel="icon" href="data:,">
</head>
<body>
<script src="/page.js"></script>
</body>
</html>
`;

/** Event content cannot run: scripts and styles come from the two files only, and nothing is loaded from elsewhere. */
const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

export interface Received {
  readonly added: readonly { readonly summary: EventSummary; readonly event: Json }[];
  readonly discards: readonly Discard[];
}

export type DevServer = Awaited<ReturnType<typeof startDevServer>>;

interface DevServerOptions {
  /** @default 4747, or a free one if that is taken */
  readonly port?: number | undefined;
  readonly store: EventStore;
  /** Where the application was started. */
  readonly folder: string;
  /** The folder with the script and the style sheet of the page. @default that of this file */
  readonly files?: string;
  readonly onReceived: (received: Received) => void;
}

/**
 * Starts the local destination and its page, on the loopback address only.
 *
 * @throws UsageError when the port was chosen, and cannot be used
 */
export async function startDevServer(options: DevServerOptions) {
  const { port = DEFAULT_PORT, store, folder, onReceived, files = __dirname } = options;
  const server = http.createServer();
  await listen(server, port).catch(async (error: NodeJS.ErrnoException) => {
    const { code } = error;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    if (options.port !== undefined) {
      throw new UsageError(`Port ${port} is in use, or may not be used (${code}): choose another one with --port.`);
    }
    await listen(server, 0);
  });
  const taken = (server.address() as AddressInfo).port;
  const dsn = `http://${PUBLIC_KEY}@${LOOPBACK}:${taken}/${PROJECT_ID}`;
  const greeting = { run: randomUUID(), dsn, version: SDK_VERSION, folder, maxEvents: MAX_EVENTS };
  const stream = new PageStream(store, greeting);
  const receive = (envelope: ReceivedEnvelope) => {
    const added = store.add(envelope);
    for (const { summary } of added) stream.send(summary);
    onReceived({ added, discards: discardsIn(envelope.items) });
  };
  server.on('request', (request, response) => {
    serve(request, response, { store, stream, receive, files }).catch(() => response.destroy());
  });
  return {
    url: `http://${LOOPBACK}:${taken}`,
    dsn,
    /** Whether the port is the one that was asked for. */
    hasPort: taken === port || port === 0,
    async close(): Promise<void> {
      stream.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: http.Server, port: number): Promise<void> {
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
}

interface Parts {
  readonly store: EventStore;
  readonly files: string;
  readonly stream: PageStream;
  readonly receive: (envelope: ReceivedEnvelope) => void;
}

async function serve(request: http.IncomingMessage, response: http.ServerResponse, parts: Parts): Promise<void> {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  const refusal = findForeignRequest(request);
  if (refusal !== undefined) {
    answer(response, 403, 'text/plain', `Refused: ${refusal}.\n`);
    return;
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const path = (request.url ?? '/').split('?', 1)[0]!;
  if (isRead && path === STREAM_PATH) parts.stream.open(response, request.headers['last-event-id']?.toString());
  else if (isRead) serveFile(path, response, parts);
  else await takeEnvelope(request, response, parts.receive);
}

function serveFile(path: string, response: http.ServerResponse, { store, files }: Parts): void {
  const [, number] = EVENT_PATH.exec(path) ?? [];
  const [, traceId] = TRACE_PATH.exec(path) ?? [];
  const event = number === undefined ? undefined : store.payloadOf(Number(number));
  if (path === '/') answer(response, 200, 'text/html; charset=utf-8', PAGE);
  else if (path === '/page.js')
    answer(response, 200, 'text/javascript; charset=utf-8', readFileSync(join(files, 'page.js')));
  else if (path === '/page.css')
    answer(response, 200, 'text/css; charset=utf-8', readFileSync(join(files, 'page.css')));
  else if (event !== undefined) answer(response, 200, 'application/json', event);
  else if (traceId !== undefined) answer(response, 200, 'application/json', JSON.stringify(readTrace(traceId, store)));
  else answer(response, 404, 'text/plain', 'Nothing is here.\n');
}

/** The waterfall of a trace, and its errors. */
function readTrace(traceId: string, store: EventStore) {
  const events = store.eventsOf(traceId);
  const transactions = events.filter(({ summary }) => summary.kind === 'transaction').map(({ event }) => event);
  const errors = events
    .filter(({ summary }) => summary.kind === 'error')
    .map(({ summary, event }) => ({ summary, ...placeOf(event) }));
  return { traceId, waterfall: createWaterfall(transactions), errors };
}

async function takeEnvelope(
  incoming: http.IncomingMessage,
  response: http.ServerResponse,
  receive: Parts['receive'],
): Promise<void> {
  const { request, violations, refusal } = await readRequest(incoming, { publicKey: PUBLIC_KEY, maxBytes: MAX_BYTES });
  if (refusal === undefined) {
    receive(request.envelope!);
    answer(response, 200, 'application/json', JSON.stringify({ id: request.envelope!.headers['event_id'] }));
    return;
  }
  answer(response, refusal, 'application/json', JSON.stringify({ detail: violations.join('; ') }));
}

function answer(response: http.ServerResponse, statusCode: number, type: string, body: string | Buffer): void {
  response.writeHead(statusCode, { 'content-type': type });
  response.end(body);
}

const LOCAL_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Whether a request comes from this machine and from no other web page. The port is bound to the loopback address; a page
 * of the web can still reach it through the browser, with a name of its own that resolves to 127.0.0.1 or by posting to it.
 *
 * @returns what is wrong, or `undefined`
 */
function findForeignRequest({ headers }: http.IncomingMessage): string | undefined {
  const { host = '', origin } = headers;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (!LOCAL_NAMES.has(name)) return 'the Host header names no loopback address';
  if (origin !== undefined && origin !== `http://${host}`) return 'the request comes from another web page';
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  return isForeign ? 'the request comes from another web page' : undefined;
}
