import { isBoxedPrimitive } from 'node:util/types';
import { copyKeys } from '../../internal/values/copy-own.js';
import { quote, stringify } from '../../internal/values/json.js';
import { isArray, isObject, readProperty } from '../../internal/values/read.js';
import { isHighSurrogate } from '../../internal/values/strings.js';
import type { Event } from '../event/event.js';
import { isShared, sizeOfShared, stringifyPart } from '../event/shared-parts.js';
import { WrittenSpans } from '../event/written-spans.js';

/** An event with more characters of JSON is large; also about the length of one piece. */
export const PIECE_LENGTH = 64 * 1024;
/** Counted for a value in addition to its characters. */
const VALUE_SIZE = 8;
/** Deeper data is left to `stringify`. */
const MAX_DEPTH = 300;

/**
 * The data of a large event at one moment, whose JSON is made piece by piece: the application may change its objects before
 * the last piece is made.
 */
export class EventSnapshot {
  readonly #event: object;
  /**
   * Lists and objects that are written in several pieces, with the index at which each group of members ends, except the last.
   * A group is one piece, or one member that is itself divided.
   */
  readonly #divided = new Map<unknown, readonly number[]>();
  #size = 0;
  /** Values so far that are more than one piece, or shared. */
  #special = 0;

  private constructor(event: object) {
    this.#event = this.#copy(event, 0) as object;
  }

  /** @returns `undefined` for a payload that is not large, or in which something is not plain data */
  static take(payload: Event): EventSnapshot | undefined {
    try {
      // Spans that are written already are most of a transaction.
      if (WrittenSpans.is(payload.spans) || roomAfterMembers(payload, PIECE_LENGTH) >= 0) return undefined;
      const { breadcrumbs, contexts, exception, modules, sdk, spans, ...rest } = payload;
      // In the order in which `stringifyEvent` has them.
      return new EventSnapshot({ ...rest, exception, contexts, breadcrumbs, modules, sdk, spans });
    } catch {
      return undefined;
    }
  }

  /** About how many characters its JSON has. */
  get size(): number {
    return this.#size;
  }

  /** The pieces of its JSON, none much longer than {@link PIECE_LENGTH}, except for those that are shared parts. */
  pieces(): Generator<string> {
    return this.#write(this.#event);
  }

  /** @throws for a value that JSON would convert (a `toJSON`, a boxed primitive) */
  #copy(value: unknown, depth: number): unknown {
    this.#size += VALUE_SIZE;
    if (typeof value === 'string') {
      this.#size += value.length;
      if (value.length > PIECE_LENGTH) this.#special += 1;
      return value;
    }
    if (!isObject(value)) return checkPrimitive(value);
    if (isShared(value)) {
      this.#special += 1;
      this.#size += sizeOfShared(value);
      return value;
    }
    if (depth > MAX_DEPTH || isBoxedPrimitive(value) || typeof readProperty(value, 'toJSON') === 'function') {
      throw new TypeError('not plain');
    }
    return isArray(value) ? this.#copyMembers([...value], depth) : this.#copyMembers({ ...value }, depth);
  }

  /** @param copy its members are replaced by copies */
  #copyMembers(copy: object, depth: number): object {
    const members = copy as Record<string | number, unknown>;
    const names = isArray(copy) ? undefined : Object.keys(copy);
    const length = isArray(copy) ? copy.length : names!.length;
    const ends: number[] = [];
    let groupBegin = this.#size;
    for (let i = 0; i < length; i++) {
      const name = names ? names[i]! : i;
      const begin = this.#size;
      const specialBefore = this.#special;
      if (names) this.#size += names[i]!.length;
      members[name] = this.#copy(members[name], depth + 1);
      const isSpecial = this.#special > specialBefore;
      if (!isSpecial && this.#size - groupBegin <= PIECE_LENGTH) continue;
      ends.push(i);
      groupBegin = begin;
      if (!isSpecial) continue;
      ends.push(i + 1);
      groupBegin = this.#size;
    }
    if (ends.length > 0) {
      this.#divided.set(copy, ends);
      this.#special += 1;
    }
    return copy;
  }

  *#write(value: unknown): Generator<string> {
    const ends = this.#divided.get(value);
    if (typeof value === 'string') yield* writeString(value);
    else if (ends === undefined) yield stringifyPart(value).text;
    else if (isArray(value)) yield* this.#writeList(value, ends);
    else yield* this.#writeObject(value as Record<string, unknown>, ends);
  }

  *#writeList(list: readonly unknown[], ends: readonly number[]): Generator<string> {
    let separator = '[';
    for (const group of groupsOf(list, ends)) {
      yield separator;
      if (group.length === 1) yield* this.#write(group[0]);
      else yield stringify(group).slice(1, -1);
      separator = ',';
    }
    yield ']';
  }

  *#writeObject(object: Record<string, unknown>, ends: readonly number[]): Generator<string> {
    let separator = '{';
    for (const names of groupsOf(Object.keys(object), ends)) {
      const present = names.filter((name) => object[name] !== undefined);
      if (present.length === 0) continue;
      yield separator;
      if (present.length === 1) {
        yield `${quote(present[0]!)}:`;
        yield* this.#write(object[present[0]!]);
      } else {
        yield stringify(copyKeys(object, present)).slice(1, -1);
      }
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  }
}

function* groupsOf<T>(list: readonly T[], ends: readonly number[]): Generator<readonly T[]> {
  let begin = 0;
  for (const end of [...ends, list.length]) {
    if (end > begin) yield list.slice(begin, end);
    begin = end;
  }
}

/** The first and the last piece are quotes. Does not split a surrogate pair. */
function* writeString(text: string): Generator<string> {
  yield '"';
  let begin = 0;
  while (begin < text.length) {
    let end = begin + PIECE_LENGTH;
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield stringify(text.slice(begin, end)).slice(1, -1);
    begin = end;
  }
  yield '"';
}

function checkPrimitive(value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
    case 'function':
    case 'symbol':
      throw new TypeError('not JSON');
    default:
      return value;
  }
}

/**
 * Subtracts the approximate length of a value's JSON from `room`, and stops as soon as the result is negative. Called for each
 * event; takes less than a microsecond.
 */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - VALUE_SIZE - value.length;
  return isObject(value) ? roomAfterMembers(value, room - VALUE_SIZE) : room - VALUE_SIZE;
}

function roomAfterMembers(value: object, room: number): number {
  if (isShared(value)) return room - sizeOfShared(value);
  let left = room;
  if (isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = roomAfter(value[i], left);
    return left;
  }
  for (const name in value) {
    left = roomAfter((value as Record<string, unknown>)[name], left - name.length);
    if (left < 0) break;
  }
  return left;
}
