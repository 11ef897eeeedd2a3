import { exceptionFromError } from '../errors/thrown.js';
import { isError } from '../internal/is-error.js';
import { isArray, readProperty } from '../internal/read.js';
import { readOptions } from '../internal/read-options.js';
import type { Integration } from '../model/contracts.js';
import type { Event } from '../model/event.js';
import type { Exception } from '../model/exception.js';

/** Options of {@link linkedErrorsIntegration}. */
export interface LinkedErrorsOptions {
  /** The property that leads from an error to its cause. @default 'cause' */
  key?: string | undefined;
  /** Linked errors per event at most, 0 to 100. @default 5 */
  limit?: number | undefined;
}

const MAX_LIMIT = 100;
/** Entries of an `errors` list that are looked at. */
const MAX_SIBLINGS = 1000;

/**
 * Puts the errors behind the captured one before it into the event: its cause, that one's cause, and the members of
 * aggregate errors. Each error comes once, also where causes go round in a circle.
 */
export function linkedErrorsIntegration(options?: LinkedErrorsOptions): Integration {
  const { key = 'cause', limit = 5 } = readOptions(options, { key: 'string', limit: 'number' });
  return {
    name: 'LinkedErrors',
    preprocessEvent(event, { originalException }) {
      linkErrors(event, originalException, key, Math.min(limit, MAX_LIMIT) || 0);
    },
  };
}

function linkErrors(event: Event, error: unknown, key: string, limit: number): void {
  const given = event.exception?.values;
  if (!isArray(given) || given.length === 0 || !isError(error)) return;
  const chain = new Chain(given, error, key, limit);
  if (chain.values.length > given.length) event.exception = { ...event.exception, values: chain.values };
}

class Chain {
  /** Oldest cause first, the captured exception last. */
  readonly values: Exception[];
  readonly #key: string;
  readonly #maxLength: number;
  readonly #seen: Set<Error>;

  constructor(values: readonly Exception[], error: Error, key: string, limit: number) {
    const caught = { ...values.at(-1) };
    this.values = [...values.slice(0, -1), caught];
    this.#key = key;
    this.#maxLength = values.length + limit;
    this.#seen = new Set([error]);
    this.#follow(error, caught, 0);
  }

  #follow(error: Error, exception: Exception, id: number): void {
    for (const [source, linked] of linksOf(error, this.#key)) {
      if (this.values.length >= this.#maxLength) return;
      if (!isError(linked) || this.#seen.has(linked)) continue;
      this.#seen.add(linked);
      markAsParent(exception, error, id);
      const linkedId = this.values.length;
      const child: Exception = exceptionFromError(linked);
      child.mechanism = { type: 'chained', handled: true, source, exception_id: linkedId, parent_id: id };
      this.values.unshift(child);
      this.#follow(linked, child, linkedId);
    }
  }
}

/** What hangs on an error, and where. */
function* linksOf(error: Error, key: string): Generator<readonly [source: string, linked: unknown]> {
  yield [key, readProperty(error, key)];
  const errors = readProperty(error, 'errors');
  if (!isArray(errors)) return;
  for (let i = 0; i < MAX_SIBLINGS && i < errors.length; i++) {
    yield [`errors[${i}]`, readProperty(errors, i)];
  }
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
