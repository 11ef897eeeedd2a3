import { uuid4 } from '../internal/ids.js';
import type { Client } from '../model/contracts.js';
import type { Dsn } from '../model/delivery/dsn.js';
import type { TransportResponse } from '../model/delivery/transport.js';
import { kindOfAnswer } from '../transport/answer.js';
import { createPoster } from '../transport/create-outbox.js';
import { authorityOf, envelopeUrl } from '../transport/dsn.js';
import { DEFAULT_FORMAT } from '../transport/formats/known-formats.js';

const ANSWER_TIMEOUT_MILLIS = 5000;
const SEND_TIMEOUT_MILLIS = 10_000;

/** What the destination says to a request without events. */
export type DestinationAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'custom' }
  | ({ readonly kind: 'answered' } & Pick<TransportResponse, 'statusCode' | 'reason' | 'isWebPage'>)
  | { readonly kind: 'unreachable'; readonly message: string };

/** What became of the test error; without a status, it was not sent. */
export interface TestResult {
  readonly eventId: string;
  readonly statusCode?: number | undefined;
}

/**
 * Asks the destination of a client whether it answers and accepts the key. The request is an empty client report: every
 * server accepts it, and none shows it.
 */
export async function askDestination({ dsn, settings }: Client): Promise<DestinationAnswer> {
  if (settings.transport !== undefined) return { kind: 'custom' };
  if (dsn === undefined || !settings.enabled) return { kind: 'none' };
  const { headers = {}, proxy, caCerts } = settings.transportOptions;
  const url = envelopeUrl(dsn, DEFAULT_FORMAT, settings.tunnel);
  const poster = createPoster({ url, headers, timeoutMillis: ANSWER_TIMEOUT_MILLIS, proxy, caCerts });
  const report = { timestamp: Date.now() / 1000, discarded_events: [] };
  try {
    const body = DEFAULT_FORMAT.serialize([
      { sent_at: new Date().toISOString() },
      [[{ type: 'client_report' }, report]],
    ]);
    const { statusCode, reason, isWebPage } = await keepAlive(poster.post(body));
    return { kind: 'answered', statusCode, reason, isWebPage };
  } catch (error) {
    return { kind: 'unreachable', message: error instanceof Error ? error.message : String(error) };
  } finally {
    poster.close();
  }
}

/** Sends one test error through all steps that other errors take. */
export async function sendTestError(client: Client): Promise<TestResult> {
  const error = new Error('Test error of faultline: this destination receives errors');
  const eventId = uuid4();
  const answered = new Promise<number | undefined>((resolve) => {
    client.on('afterSendEvent', (event, { statusCode }) => {
      if (event.event_id === eventId) resolve(statusCode);
    });
  });
  client.captureException(error, { event_id: eventId });
  const flushed = client.flush(SEND_TIMEOUT_MILLIS).then(() => undefined);
  const statusCode = await keepAlive(Promise.race([answered, flushed]));
  return { eventId, statusCode };
}

/** Keeps the process alive until the promise settles; nothing else of the SDK does that. */
async function keepAlive<T>(promise: Promise<T>): Promise<T> {
  const timer = setTimeout(() => undefined, SEND_TIMEOUT_MILLIS * 2);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether all is well, and the sentence that says so. */
export interface Verdict {
  readonly isGood: boolean;
  readonly message: string;
}

export function explainAnswer(answer: DestinationAnswer, dsn: string): Verdict {
  switch (answer.kind) {
    case 'none':
      return { isGood: false, message: 'There is no destination: set FAULTLINE_DSN, or pass --dsn.' };
    case 'custom':
      return { isGood: true, message: 'The transport is the application\'s own; "--send" tries it.' };
    case 'unreachable':
      return { isGood: false, message: `${dsn} does not answer: ${answer.message}.` };
    case 'answered':
      return explainResponse(answer, dsn);
  }
}

function explainResponse({ statusCode, reason, isWebPage }: TransportResponse, dsn: string): Verdict {
  const because = reason ? ` (${reason})` : '';
  const kind = kindOfAnswer({ statusCode });
  const good = (what: string): Verdict => ({ isGood: true, message: `${dsn} ${what}.` });
  const bad = (what: string): Verdict => ({ isGood: false, message: `${dsn} ${what}.` });
  if (isWebPage) return bad('answers with a web page, as no destination does: check host, port and path');
  if (kind === 'accepted') return good('answers and accepts the key');
  if (kind === 'limited') return good(`answers, and limits the rate at the moment${because}`);
  if (statusCode === 401 || statusCode === 403)
    return bad(`refuses the key${because}: copy the DSN from the settings of the project`);
  if (statusCode === 404 || statusCode === 405)
    return bad(`has no such project${because}: check host, path and project id`);
  return bad(`answers ${statusCode}${because}`);
}

/** What became of the test error, and where to look for it. */
export function explainTest({ eventId, statusCode }: TestResult, dsn: Dsn | undefined): Verdict {
  if (kindOfAnswer({ statusCode }) === 'accepted') {
    const place = dsn ? ` in project ${dsn.projectId} at ${dsn.protocol}://${authorityOf(dsn)}` : '';
    return { isGood: true, message: `A test error was accepted. Look for event ${eventId}${place}.` };
  }
  const why = statusCode === undefined ? 'FAULTLINE_DEBUG=true shows why' : `the answer was ${statusCode}`;
  return { isGood: false, message: `The test error ${eventId} was not accepted: ${why}.` };
}
