import { toJson } from '../patching/originals.js';
import { copyOwn } from './copy-own.js';
import { UNREADABLE } from './placeholders.js';
import { isOfEveryObject } from './read.js';

const MAX_DEPTH = 100;
const MAX_NODES = 100_000;

/**
 * Serializes any value as JSON on a single line. What JSON cannot hold (a BigInt, a cycle, a `toJSON` or getter that
 * throws, nesting without end) is replaced by a short string, so that the rest is still sent. Never throws.
 */
export function stringify(value: unknown): string {
  try {
    // The `toJSON` of every list is that of every object, unless lists have another one.
    const isUsable = (Array.prototype as { toJSON?: unknown }).toJSON === undefined;
    const json: string | undefined = isUsable ? toJson(value) : undefined;
    if (json !== undefined) return mendCharacters(json);
  } catch {
    // Rare, so that the copy below may be slow.
  }
  try {
    return mendCharacters(toJson(copyPlain(value, [], { nodesLeft: MAX_NODES })) ?? 'null');
  } catch {
    return 'null';
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these have to be escaped
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Whether a string is the same in JSON, but for the quotes around it. */
export function isLiteral(value: string): boolean {
  return !ESCAPED.test(value);
}

/** Like `stringify`, for a short string. */
export function quote(value: string): string {
  return isLiteral(value) ? `"${value}"` : stringify(value);
}

/** What JSON neither escapes nor encodes as several bytes is printable ASCII. */
const LONGER_IN_JSON = /[^ !#-[\]-~]/;

/** How many bytes of JSON a string is, without its quotes. */
export function bytesInJson(text: string): number {
  return LONGER_IN_JSON.test(text) ? measure(stringify(text)).bytes - 2 : text.length;
}

/** JSON with its length in bytes. Counting those of a long text takes as long as writing it, so that parts are counted once. */
export interface MeasuredJson {
  readonly text: string;
  readonly bytes: number;
}

/** Counts the bytes of a text. A text that was put together becomes one piece then. */
export function measure(text: string): MeasuredJson {
  return { text, bytes: Buffer.byteLength(text) };
}

/** The JSON of a list. Concatenated, because `join` would copy: V8 copies a concatenation once, when it is read. */
export function joinList<T>(list: readonly T[], write: (one: T) => MeasuredJson): MeasuredJson {
  let text = '';
  // The brackets, and the commas between the elements.
  let bytes = 1 + Math.max(list.length, 1);
  for (const one of list) {
    const json = write(one);
    text += text === '' ? json.text : `,${json.text}`;
    bytes += json.bytes;
  }
  return { text: `[${text}]`, bytes };
}

/** What `JSON.stringify` writes for a lone surrogate. An escaped backslash before it is not a part of it. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** Servers refuse events with a lone surrogate, which becomes U+FFFD. */
function mendCharacters(json: string): string {
  return json.includes('\\ud') ? json.replace(LONE_SURROGATE, '$1\ufffd') : json;
}

interface Budget {
  nodesLeft: number;
}

function copyPlain(value: unknown, ancestors: readonly unknown[], budget: Budget): unknown {
  if (typeof value === 'bigint') return `[BigInt: ${value}]`;
  // JSON leaves functions out, but would call one named `toJSON` again.
  if (typeof value === 'function') return undefined;
  if (value === null || typeof value !== 'object') return value;
  if (ancestors.includes(value)) return '[Circular ~]';
  budget.nodesLeft -= 1;
  if (budget.nodesLeft < 0 || ancestors.length >= MAX_DEPTH) return '[Object]';
  try {
    return copyObject(value, [...ancestors, value], budget);
  } catch {
    return UNREADABLE;
  }
}

function copyObject(value: object, ancestors: readonly unknown[], budget: Budget): unknown {
  const json = jsonOf(value);
  if (json !== value) return copyPlain(json, ancestors, budget);
  if (Array.isArray(value)) {
    const list = value.slice(0, Math.max(0, budget.nodesLeft)).map((element) => copyPlain(element, ancestors, budget));
    // Hides an inherited one.
    return Object.assign(list, { toJSON: undefined });
  }
  // Without a prototype, a key named `__proto__` is a key like others.
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, member] of Object.entries(copyOwn(value))) copy[key] = copyPlain(member, ancestors, budget);
  return copy;
}

/** The result of the object's `toJSON`; the object itself if it has none, or one that throws. */
function jsonOf(value: object): unknown {
  try {
    const { toJSON } = value as { toJSON?: unknown };
    return typeof toJSON === 'function' && !isOfEveryObject(toJSON) ? toJSON.call(value, '') : value;
  } catch {
    return value;
  }
}
