import {
  type ClientOptions,
  type Event,
  getIsolationScope,
  type Integration,
  init,
  type TransportFactory,
} from '../index.js';
import { undoInit } from '../init.js';
import { seedRandomness } from '../internal/randomness.js';
import { readProperty } from '../internal/values/read.js';
import type { InnerClient } from '../model/inner-client.js';
import { kindOfAnswer } from '../transport/answer.js';
import { restoreClock } from './fake-clock.js';
import type { Inbox } from './inbox.js';
import { type Recorded, readItems } from './recorded.js';
import { DefaultRecording, OwnInboxes, type Recording } from './recording.js';

/** The options of `init`, of which `tracesSampleRate` is 1 unless it or `tracesSampler` is set. */
export interface RecordOptions extends ClientOptions {
  /** Makes ids, and with them the decisions to sample, the same in each run. @default real randomness */
  seed?: number | undefined;
}

/** Names the project in trace headers. Nothing is sent to it. */
const DSN = 'https://publickey@recorded.invalid/1';

/** A test runner watches over the process itself. */
const OF_THE_PROCESS = new Set([
  'OnUncaughtException',
  'OnUnhandledRejection',
  'ProcessExit',
  'ProcessSession',
  'ProcessSignals',
]);

/** Many tests may capture at the same time. */
const BUFFER_SIZE = 1_000_000;
const CLOSE_TIMEOUT_MILLIS = 1000;
const UINT32_RANGE = 2 ** 32;

const recordings = new Set<DefaultRecording>();

/**
 * Calls `init` with a transport that keeps in memory what would be sent. Needs no DSN, and reads none from the
 * environment. With the option `transport`, what that transport delivers is recorded.
 *
 * @example
 * const sent = recordEvents();
 * captureException(new Error('broken'));
 * await sent.next('error', 'broken');
 */
export function recordEvents({ seed, ...options }: RecordOptions = {}): Recording {
  seedRandomness(seed === undefined ? undefined : createSeededRandom(seed));
  const ownInboxes = new OwnInboxes();
  const inboxOfEvent = new Map<string | undefined, Inbox>();
  let recording: DefaultRecording | undefined;
  const deliverWith = options.transport ?? createAcceptingTransport;
  const transport: TransportFactory = (transportOptions) => {
    const inner = deliverWith(transportOptions);
    return {
      flush: (timeoutMillis) => inner.flush(timeoutMillis),
      send: async (envelope) => {
        const response = await inner.send(envelope);
        if (kindOfAnswer(response) !== 'accepted') return response;
        const own = inboxOfEvent.get(envelope[0].event_id);
        for (const item of readItems(envelope)) {
          recording?.inbox.add(item);
          own?.add(item);
        }
        return response;
      },
    };
  };
  const hasOwnRate = options.tracesSampleRate !== undefined || options.tracesSampler !== undefined;
  const client = init({
    environment: 'test',
    enabled: true,
    spotlight: false,
    ...(hasOwnRate ? {} : { tracesSampleRate: 1 }),
    ...options,
    dsn: DSN,
    transportOptions: { bufferSize: BUFFER_SIZE, ...options.transportOptions },
    integrations: (defaults) => chooseIntegrations(options.integrations, defaults),
    transport,
  }) as InnerClient;
  recording = new DefaultRecording(client, ownInboxes);
  recordings.add(recording);
  client.on('beforeSendEvent', (event: Event) => {
    const own = ownInboxes.find(event.sdkProcessingMetadata, readProperty(event.contexts?.trace, 'trace_id'));
    if (own) inboxOfEvent.set(event.event_id, own);
  });
  client.on('beforeAddBreadcrumb', (breadcrumb) => {
    const item = { kind: 'breadcrumb', value: { ...breadcrumb } as Recorded<typeof breadcrumb> } as const;
    recording.inbox.add(item);
    ownInboxes.find(getIsolationScope().getScopeData().sdkProcessingMetadata, undefined)?.add(item);
  });
  return recording;
}

/**
 * Gives the next test a process as it was before the first one: closes the clients of `recordEvents`, empties the
 * scopes, removes what `init` has registered with OpenTelemetry, and restores the clock and randomness. Spans that are
 * still open are lost.
 *
 * @example afterEach(reset);
 */
export async function reset(): Promise<void> {
  const open = [...recordings];
  recordings.clear();
  restoreClock();
  for (const { inbox } of open) inbox.close('reset was called while `next` was waiting');
  await Promise.all(open.map(({ client }) => client.close(CLOSE_TIMEOUT_MILLIS)));
  seedRandomness(undefined);
  undoInit();
}

const createAcceptingTransport: TransportFactory = () => ({
  send: async () => ({ statusCode: 200 }),
  flush: async () => true,
});

function chooseIntegrations(chosen: ClientOptions['integrations'], defaults: Integration[]): Integration[] {
  const usable = defaults.filter(({ name }) => !OF_THE_PROCESS.has(name));
  return typeof chosen === 'function' ? chosen(usable) : [...usable, ...(chosen ?? [])];
}

/**
 * Numbers in [0, 1), the same for the same seed.
 *
 * @see mulberry32, by Tommy Ettinger, in the public domain
 */
function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / UINT32_RANGE;
  };
}
