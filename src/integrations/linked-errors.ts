import { exceptionFromError } from '../errors/thrown.js';
import { readOptions } from '../internal/options/read-options.js';
import { isError } from '../internal/values/is-error.js';
import { isArray, readProperty } from '../internal/values/read.js';
import type { Integration } from '../model/contracts.js';
import type { Exception } from '../model/event/exception.js';

/** Options of {@link linkedErrorsIntegration}. */
export interface LinkedErrorsOptions {
  /** The property that leads from an error to its cause. @default 'cause' */
  key?: string | undefined;
  /** Linked errors per event at most, 0 to 100. @default 5 */
  limit?: number | undefined;
}

const MAX_LIMIT = 100;
/** Entries of an `errors` list that are read. */
const MAX_SIBLINGS = 1000;

/**
 * Adds the errors that the captured one links to, before it in the list: its cause, the cause of that, and the members of
 * aggregate errors. Each error is added once, even if causes form a circle.
 */
export function linkedErrorsIntegration(options?: LinkedErrorsOptions): Integration {
  const { key, limit } = readOptions('linkedErrorsIntegration', options, { key: 'cause', limit: 5 });
  return {
    name: 'LinkedErrors',
    preprocessEvent(event, { originalException: error }) {
      const present = event.exception?.values;
      if (!isArray(present) || present.length === 0 || !isError(error)) return;
      const values = withLinked(present, error, key, Math.min(limit, MAX_LIMIT) || 0);
      if (values.length > present.length) event.exception = { ...event.exception, values };
    },
  };
}

/** The exceptions with those of linked errors: the oldest cause first, the captured exception last. */
function withLinked(present: readonly Exception[], error: Error, key: string, limit: number): Exception[] {
  const caught = { ...present.at(-1) };
  const values = [...present.slice(0, -1), caught];
  const maxLength = present.length + limit;
  const seen = new Set([error]);
  const follow = (parent: Error, exception: Exception, id: number): void => {
    for (const [source, linked] of linksOf(parent, key)) {
      if (values.length >= maxLength) return;
      if (!isError(linked) || seen.has(linked)) continue;
      seen.add(linked);
      markAsParent(exception, parent, id);
      const linkedId = values.length;
      const child: Exception = exceptionFromError(linked);
      child.mechanism = { type: 'chained', handled: true, source, exception_id: linkedId, parent_id: id };
      values.unshift(child);
      follow(linked, child, linkedId);
    }
  };
  follow(error, caught, 0);
  return values;
}

/** The values that an error links to, each with the property that holds it. */
function* linksOf(error: Error, key: string): Generator<readonly [source: string, linked: unknown]> {
  yield [key, readProperty(error, key)];
  const errors = readProperty(error, 'errors');
  if (!isArray(errors)) return;
  for (let i = 0; i < MAX_SIBLINGS && i < errors.length; i++) yield [`errors[${i}]`, readProperty(errors, i)];
}

function markAsParent(exception: Exception, error: Error, id: number): void {
  exception.mechanism = {
    type: 'auto.core.linked_errors',
    handled: true,
    ...exception.mechanism,
    exception_id: id,
    ...(isArray(readProperty(error, 'errors')) ? { is_exception_group: true } : undefined),
  };
}
