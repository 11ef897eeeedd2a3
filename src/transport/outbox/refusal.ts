import { toPrintable } from '../../internal/values/printable.js';
import { readString } from '../../internal/values/read.js';
import type { TransportResponse } from '../../model/delivery/transport.js';
import { describeCause } from '../describe-cause.js';
import { authorityOf, type Destination } from '../dsn.js';

const MAX_REASON_LENGTH = 200;
const MAX_URL_LENGTH = 200;
/** After so many refusals and no acceptance, the destination is taken to refuse everything. */
const REFUSES_ALL_AFTER = 3;

/** ` (the reason)`; an empty string if the answer gives none. */
export function describeReason({ reason, headers }: TransportResponse): string {
  const said = reason ?? headers?.['x-sentry-error'];
  return said ? ` (${toPrintable(said, MAX_REASON_LENGTH)})` : '';
}

/**
 * Explains the refusal of a destination that has accepted nothing yet: it will refuse everything.
 *
 * @param refusals of this process so far
 * @param isLast whether the process ends, so that nothing else can be accepted
 * @returns `undefined` for answers after which other envelopes may be accepted
 */
export function explainRefusal(
  response: TransportResponse,
  destination: Destination,
  refusals = 1,
  isLast = false,
): string | undefined {
  const { statusCode = 0, headers } = response;
  const { tunnel } = destination;
  const because = describeReason(response);
  const advice = findAdvice(statusCode, headers?.['location'] ?? undefined, tunnel !== undefined);
  if (advice === undefined) {
    if (refusals < REFUSES_ALL_AFTER && !isLast) return undefined;
    const which = refusals === 1 ? 'request of this process' : `${refusals} requests of this process, the last`;
    return `${describeDestination(destination)} has refused the first ${which} with status ${statusCode}${because}, so nothing has arrived. Check that the ${tunnel ? 'tunnel' : 'DSN'} names the right server, and read the log of that server and of a proxy in front of it.`;
  }
  return `${describeDestination(destination)} answers ${statusCode}${because}, so nothing that this process captures arrives. ${advice}`;
}

/**
 * Explains that an answer is a web page, which no server for errors answers with: those send JSON, or nothing.
 *
 * @param storePath where errors are kept; `undefined` if they are not
 */
export function explainWebPage(
  { statusCode }: TransportResponse,
  destination: Destination,
  storePath: string | undefined,
): string {
  const advice = destination.tunnel
    ? 'check the option tunnel'
    : "compare the DSN with the one in your project's settings: its host, port or path may be wrong";
  return `${describeDestination(destination)} answers ${statusCode} with a web page, so it is a web site, or a proxy in front of it shows a page in its place. Nothing arrives until it answers otherwise; what this process captures is tried again. ${describeKept(storePath)}. If it stays like this, ${advice}.`;
}

/**
 * Explains that a destination has never answered.
 *
 * @param why the last error, or what a proxy answered
 * @param storePath where errors are kept; `undefined` if they are not
 */
export function explainUnreachable(why: unknown, destination: Destination, storePath: string | undefined): string {
  const because =
    describeCause(why) || ` (${toPrintable(readString(why, 'message') ?? String(why), MAX_REASON_LENGTH)})`;
  return `${describeDestination(destination)} cannot be reached${because}. Nothing that this process captured has arrived. ${describeKept(storePath)}.`;
}

function describeKept(storePath: string | undefined): string {
  return storePath === undefined
    ? 'What is unsent at the end of the process is lost'
    : `Errors that are unsent at the end of the process are kept in ${storePath} and sent when it answers`;
}

function findAdvice(statusCode: number, location: string | undefined, isTunnel: boolean): string | undefined {
  if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) {
    const target = location ? ` to ${toShownUrl(location)}` : '';
    return `It is a redirect${target}, which is not followed: put the final address into the ${isTunnel ? 'tunnel' : 'DSN'}.`;
  }
  if (isTunnel && [401, 403, 404, 405].includes(statusCode))
    return 'Check the option tunnel, and which DSNs the tunnel forwards.';
  if (statusCode === 401 || statusCode === 403)
    return "Compare the DSN with the one in your project's settings: its key may be wrong, disabled, or of another project.";
  if (statusCode === 404 || statusCode === 405)
    return "Compare the DSN with the one in your project's settings: its host, path or project id may be wrong.";
  return undefined;
}

/** Names the server without secrets that a URL may contain. */
function describeDestination({ dsn, tunnel }: Destination): string {
  if (tunnel) return `The tunnel ${toShownUrl(tunnel)}`;
  if (!dsn) return 'The destination';
  return `The destination ${authorityOf(dsn)} (project ${dsn.projectId})`;
}

function toShownUrl(url: string): string {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: '', pathname: url.replace(/[?#].*$/s, '') };
  return toPrintable(`${origin}${pathname}`, MAX_URL_LENGTH);
}
