import { uuid4 } from '../../internal/ids.js';
import { copyOwn } from '../../internal/values/copy-own.js';
import { stringify } from '../../internal/values/json.js';
import { isArray, isObject } from '../../internal/values/read.js';
import { limitLength } from '../../internal/values/strings.js';
import { type Event, USER_IDENTIFIERS } from '../event/event.js';
import { MAX_LABEL_LENGTHS } from '../event/labels.js';
import { withKnownLevels } from '../event/sent-breadcrumbs.js';

type Payload = Event & { event_id: string };

/** Limit for an object where servers want a string. */
const MAX_OBJECT_LENGTH = 200;

/**
 * The payload of an event item: a copy without `sdkProcessingMetadata`, in a form that all servers accept. Does not
 * mutate the event.
 *
 * - The level `log` becomes `info`, because not every server knows `log`.
 * - Tags and user identifiers become strings, because some servers cut the fraction of a number.
 * - Names are cut to lengths that all servers accept.
 */
export function toEventPayload(event: Event): Payload {
  const payload = copyEvent(event);
  if (typeof payload.event_id !== 'string') payload.event_id = uuid4();
  if (payload.level === 'log') payload.level = 'info';
  if (isArray(payload.breadcrumbs)) payload.breadcrumbs = withKnownLevels(payload.breadcrumbs);
  if (payload.tags) payload.tags = withStrings(payload.tags) as Event['tags'];
  if (payload.user) payload.user = withStrings(payload.user, USER_IDENTIFIERS);
  for (const label of ['transaction', 'release', 'environment', 'dist'] as const) {
    const value = payload[label];
    if (typeof value === 'string') payload[label] = limitLength(value, MAX_LABEL_LENGTHS[label]);
  }
  return payload as Payload;
}

function copyEvent(event: Event): Event {
  try {
    return withoutMetadata(event);
  } catch {
    // A hook may have left a getter that throws.
    return withoutMetadata(copyOwn(event));
  }
}

/** `undefined` is not serialized, and costs less than a deletion. */
function withoutMetadata(event: Event): Event {
  return { ...event, sdkProcessingMetadata: undefined };
}

/** A copy whose values are strings: all of them, or only the listed members. An object becomes its JSON. */
function withStrings(source: object, members?: readonly string[]): Record<string, unknown> {
  const copy = copyOwn(source);
  for (const member of members ?? Object.keys(copy)) {
    const value = copy[member];
    if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') copy[member] = `${value}`;
    else if (isObject(value)) copy[member] = limitLength(stringify(value), MAX_OBJECT_LENGTH);
  }
  return copy;
}
