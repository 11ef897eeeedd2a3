import { createLogger } from '../internal/diag.js';
import { toPrintable } from '../internal/printable.js';
import type { Envelope } from '../model/envelope.js';
import type { TransportResponse } from '../model/transport.js';
import { isAcceptance } from './refusal.js';

const log = createLogger('transport');

const MAX_REASON_LENGTH = 200;

/** Called when the outcome of an envelope is known. @param response absent when there was no answer */
export type OnDelivery = (envelope: Envelope, response: TransportResponse | undefined, millis: number) => void;

/** Logs each delivery with its status and duration, for `debug: true`. */
export const logDelivery: OnDelivery = (envelope, response, millis) => {
  const what = describeEnvelope(envelope);
  const duration = `${Math.round(millis)} ms`;
  if (response === undefined) log.debug(`${what}: not delivered, no answer after ${duration}`);
  else if (response.statusCode === undefined)
    log.debug(`${what}: not sent: stored on disk, or dropped because of a rate limit or a full queue`);
  else log.debug(`${what}: ${describeAnswer(response)} in ${duration}`);
};

function describeAnswer(response: TransportResponse): string {
  const { statusCode, reason, headers } = response;
  if (isAcceptance(response)) return `delivered, ${statusCode}`;
  const said = reason ?? headers?.['x-sentry-error'];
  return `refused, ${statusCode}${said ? ` (${toPrintable(said, MAX_REASON_LENGTH)})` : ''}`;
}

function describeEnvelope([{ event_id }, items]: Envelope): string {
  const types = new Map<string, number>();
  for (const [{ type }] of items) types.set(type, (types.get(type) ?? 0) + 1);
  const parts = [...types].map(([type, count]) => (count > 1 ? `${count} ${type}` : type));
  return `${parts.join(', ')}${event_id ? ` ${event_id}` : ''}`;
}
