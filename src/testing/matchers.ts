import { inspect, types } from 'node:util';
import { isObject, isPlainObject, readProperty } from '../internal/values/read.js';
import type { Kind, RecordedItems } from './recorded.js';

/**
 * What an item should look like. A string has to be contained in its title, which is `type: value` of an error, the
 * message of a message, and the name of a transaction; a pattern has to match it. An object has to match in the members
 * that it has, at any depth. A function decides by itself.
 *
 * An object for an error may also name `type`, `value` and `handled` of its exception, and one for a transaction `name`,
 * `op` and `status` of its root span.
 */
export type Matcher<K extends Kind = Kind> =
  | string
  | RegExp
  | ((item: RecordedItems[K]) => boolean)
  | ExpectedMembers<Omit<RecordedItems[K], keyof ShortNames[K]> & ShortNames[K]>;

/** What a matcher may name of an item beside its members. */
export interface ShortNames extends Record<Kind, object> {
  error: { type: string; value: string; handled: boolean };
  transaction: { name: string; op: string; status: string };
  feedback: {
    name: string;
    message: string;
    contact_email: string;
    url: string;
    associated_event_id: string;
    source: string;
  };
}

/** What a member should be: its value, a pattern for a text, or a function that decides. */
export type Expected<T> =
  | ((actual: T) => boolean)
  | Pick<EventMatcher, 'asymmetricMatch'>
  | (T extends string ? RegExp | T : T extends object ? ExpectedMembers<T> : T)
  | undefined;

/** Members that a matcher names; of a list, each element has to be named. */
export type ExpectedMembers<T> = { readonly [Member in keyof T]?: Expected<T[Member]> };

/** What Vitest and Jest recognize an asymmetric matcher by when they print one. */
const ASYMMETRIC_MATCHER = Symbol.for('jest.asymmetricMatcher');
const MAX_SHOWN_ITEMS = 20;

/** Matches in `expect(...)` of Vitest and Jest wherever they take an asymmetric matcher, and in {@link assertSent}. */
export interface EventMatcher {
  asymmetricMatch(item: unknown): boolean;
  /** The title of an item, with those of its members that the matcher compares. */
  describe?(item: unknown): string;
  toString(): string;
  toAsymmetricMatcher(): string;
}

/** @example expect(sent.errors).toContainEqual(anError({ type: 'TypeError', handled: false, tags: { tenant: 'a' } })) */
export function anError(matcher: Matcher<'error'> = {}): EventMatcher {
  return createMatcher('error', matcher);
}

/** @example assertSent(sent.messages, aMessage('cart is stale')) */
export function aMessage(matcher: Matcher<'message'> = {}): EventMatcher {
  return createMatcher('message', matcher);
}

/** @example assertSent(sent.transactions, aTransaction({ name: 'GET /', op: 'http.server', status: 'ok' })) */
export function aTransaction(matcher: Matcher<'transaction'> = {}): EventMatcher {
  return createMatcher('transaction', matcher);
}

/**
 * Throws an error that shows what there is, unless one of the items matches. Not an `AssertionError`: Jest would print values
 * and a diff, which the message already contains.
 */
export function assertSent(items: readonly unknown[], expected: EventMatcher): void {
  if (items.some((item) => expected.asymmetricMatch(item))) return;
  const actual = items
    .slice(0, MAX_SHOWN_ITEMS)
    .map((item) => expected.describe?.(item) ?? inspect(item, { depth: 6 }));
  const more = items.length > actual.length ? `\n  … ${items.length - actual.length} more` : '';
  const list = actual.map((one) => `\n  ${one}`).join('');
  const message = `expected ${expected} among ${items.length} items:${list}${more}`;
  const error = new Error(message);
  Error.captureStackTrace(error, assertSent);
  throw error;
}

/** Whether a value matches: as {@link Matcher} says, for values of any kind. */
export function matches(actual: unknown, expected: unknown): boolean {
  if (typeof expected === 'function') return expected(actual) === true;
  if (types.isRegExp(expected)) return typeof actual === 'string' && new RegExp(expected).test(actual);
  if (!isObject(expected)) return Object.is(actual, expected);
  const asymmetricMatch = readProperty(expected, 'asymmetricMatch');
  if (typeof asymmetricMatch === 'function') return asymmetricMatch.call(expected, actual) === true;
  if (!isObject(actual)) return false;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) return false;
  return Object.entries(expected).every(([key, member]) => matches(readProperty(actual, key), member));
}

export function matchesItem(kind: Kind, item: unknown, matcher: Matcher | undefined): boolean {
  if (matcher === undefined) return true;
  if (typeof matcher === 'string') return titleOfItem(kind, item).includes(matcher);
  if (types.isRegExp(matcher)) return matches(titleOfItem(kind, item), matcher);
  return matches(typeof matcher === 'function' ? item : withShortNames(kind, item), matcher);
}

/** What an item is called in messages. */
function titleOfItem(kind: Kind, item: unknown): string {
  const { type, value, name, message, status } = withShortNames(kind, item) as Record<string, unknown>;
  if (kind === 'error') return `${type}: ${value}`;
  return String(name ?? message ?? status ?? kind);
}

function createMatcher(kind: Kind, matcher: Matcher): EventMatcher {
  const description = `${kind} ${inspect(matcher, { depth: 6 })}`;
  const eventMatcher: EventMatcher & { $$typeof: symbol } = {
    $$typeof: ASYMMETRIC_MATCHER,
    asymmetricMatch: (item) => matchesItem(kind, item, matcher),
    describe: (item) => describeItem(kind, item, matcher),
    toString: () => description,
    toAsymmetricMatcher: () => description,
  };
  return eventMatcher;
}

/** The title of an item, with those of its members that the matcher compares. */
export function describeItem(kind: Kind, item: unknown, matcher: Matcher | undefined): string {
  const title = `${kind} ${JSON.stringify(titleOfItem(kind, item))}`;
  if (!isPlainObject(matcher)) return title;
  return `${title} ${inspect(selectLike(withShortNames(kind, item), matcher), { depth: 6 })}`;
}

/** The members of a value that an expected value has, too. */
function selectLike(actual: unknown, expected: unknown): unknown {
  if (!isPlainObject(actual) || !isPlainObject(expected)) return actual;
  return Object.fromEntries(
    Object.entries(expected).map(([key, member]) => [key, selectLike(readProperty(actual, key), member)]),
  );
}

function withShortNames(kind: Kind, item: unknown): object {
  if (kind === 'error') {
    const values = readProperty(readProperty(item, 'exception'), 'values');
    const exception = Array.isArray(values) ? values.at(-1) : undefined;
    const handled = readProperty(readProperty(exception, 'mechanism'), 'handled');
    return { ...(item as object), type: exception?.type, value: exception?.value, handled };
  }
  const contexts = readProperty(item, 'contexts');
  if (kind === 'transaction') {
    const trace = readProperty(contexts, 'trace');
    const [op, status] = [readProperty(trace, 'op'), readProperty(trace, 'status')];
    return { ...(item as object), name: readProperty(item, 'transaction'), op, status };
  }
  if (kind === 'feedback') return { ...(readProperty(contexts, 'feedback') as object), ...(item as object) };
  const logged = readProperty(readProperty(item, 'logentry'), 'message');
  return logged === undefined ? (item as object) : { message: logged, ...(item as object) };
}
