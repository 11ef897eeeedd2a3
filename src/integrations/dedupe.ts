import { limitLength, MAX_STRING_LENGTH } from '../internal/values/strings.js';
import type { Integration } from '../model/contracts.js';
import type { Event } from '../model/event/event.js';
import type { Exception } from '../model/event/exception.js';

type Essence = ReturnType<typeof essenceOf>;

/** Drops an error event with the same content and origin as the previous error event. */
export function dedupeIntegration(): Integration {
  let previous: Essence | undefined;
  return {
    name: 'Dedupe',
    processEvent(event) {
      if (event.type !== undefined) return event;
      const essence = essenceOf(event);
      if (previous && isSame(essence, previous)) return null;
      previous = essence;
      return event;
    },
  };
}

/** Equal messages or equal exceptions suffice; an event with neither matches none. */
function isSame(one: Essence, other: Essence): boolean {
  const saysSame =
    (one.message !== undefined && one.message === other.message) ||
    (one.exceptions !== undefined && one.exceptions === other.exceptions);
  return saysSame && one.rest === other.rest;
}

/** The compared parts of an event: a copy, because the event changes later, with bounded strings. */
function essenceOf({ message, fingerprint, exception }: Event) {
  const values = exception?.values ?? [];
  return {
    message: message ? limitLength(message, MAX_STRING_LENGTH) : undefined,
    exceptions: values.length > 0 ? JSON.stringify(values.map(namesOf)) : undefined,
    rest: JSON.stringify([fingerprint, values.map(placesOf)]),
  };
}

function namesOf({ type, value }: Exception) {
  return [type, value && limitLength(value, MAX_STRING_LENGTH)];
}

function placesOf({ stacktrace }: Exception) {
  return stacktrace?.frames?.map(({ filename, function: name, lineno, colno }) => [filename, name, lineno, colno]);
}
