import type { ReadableSpan, Span } from '@opentelemetry/sdk-trace-base';
import { ATTRIBUTE } from '../../model/event/span-json.js';
import { httpMethodOf } from '../describe/attribute-text.js';

/** Where the name is kept: not on the span, because other exporters get the span unchanged. */
interface Named {
  customName: string | undefined;
}

/**
 * Keeps the name that the application gives a request by `updateName`, with the source `custom`. OTel's instrumentations
 * rename the request once more, by its method and route, when the route is known or the response ends.
 */
export function keepCustomName(span: Span, named: Named): void {
  const { updateName, name: firstName } = span;
  const observed: typeof updateName = function (this: Span, name) {
    if (span.attributes[ATTRIBUTE.source] === 'custom') {
      const present = named.customName ?? (span.name === firstName ? undefined : span.name);
      named.customName = present !== undefined && isNameOfRequest(span, name) ? present : name;
    }
    return updateName.call(this, name);
  };
  Reflect.defineProperty(span, 'updateName', { value: observed, configurable: true, writable: true });
}

/** Whether a name looks like one by an instrumentation: `GET /users/:id`. */
function isNameOfRequest(span: ReadableSpan, name: unknown): boolean {
  return typeof name === 'string' && name.split(' ', 1)[0] === httpMethodOf(span);
}
