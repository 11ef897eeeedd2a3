import { createLogger } from '../../internal/diag.js';
import type { Envelope } from '../../model/delivery/envelope.js';
import type { TransportResponse } from '../../model/delivery/transport.js';
import { kindOfAnswer } from '../answer.js';
import type { Fate } from './in-flight-items.js';
import { describeReason } from './refusal.js';

const log = createLogger('transport');

const WHY_NOT_SENT: { readonly [Reason in Fate]?: string } = {
  stored: 'it is stored on disk, and sent when the destination answers or by the next process',
  ratelimit_backoff: 'the destination has limited the rate of such data',
  queue_overflow: 'too much waits for the destination',
  network_error: 'the process ended, or the client was closed, before it could be sent',
};

/**
 * Logs the delivery of an envelope with its status and duration, for `debug: true`.
 *
 * @param response absent when there was no answer
 * @param fate what became of an envelope that was not sent, as far as that is known
 */
export function logDelivery(
  envelope: Envelope,
  response: TransportResponse | undefined,
  millis: number,
  fate: Fate | undefined,
): void {
  const what = describeEnvelope(envelope);
  const duration = `${Math.round(millis)} ms`;
  if (response === undefined) log.debug(`${what}: not delivered, no answer after ${duration}`);
  else if (response.statusCode === undefined) {
    const why = fate && WHY_NOT_SENT[fate];
    log.debug(`${what}: ${why ? `not sent: ${why}` : 'given to the transport, which names no status'}`);
  } else log.debug(`${what}: ${describeAnswer(response)} in ${duration}`);
}

function describeAnswer(response: TransportResponse): string {
  const { statusCode } = response;
  return kindOfAnswer(response) === 'accepted'
    ? `delivered, ${statusCode}`
    : `refused, ${statusCode}${describeReason(response)}`;
}

function describeEnvelope([{ event_id }, items]: Envelope): string {
  const types = new Map<string, number>();
  for (const [{ type }] of items) types.set(type, (types.get(type) ?? 0) + 1);
  const parts = [...types].map(([type, count]) => (count > 1 ? `${count} ${type}` : type));
  return `${parts.join(', ')}${event_id ? ` ${event_id}` : ''}`;
}
