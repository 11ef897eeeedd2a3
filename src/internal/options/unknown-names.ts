import { toPrintable } from '../values/printable.js';
import { findClosestName } from './closest-name.js';

/** Unknown names that a message lists, and characters of each. */
const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 60;

/** A name that means nothing to the SDK. */
export interface UnknownName {
  readonly name: string;
  readonly kind: 'option' | 'variable' | 'member';
  readonly meant: string | undefined;
  /** What to do instead. */
  readonly instead: string | undefined;
}

/**
 * @param prefix precedes the names in messages
 * @param instead by names that others know, which are not typing errors
 */
export function listUnknown(
  kind: UnknownName['kind'],
  prefix: string,
  present: object,
  known: readonly string[],
  instead: Readonly<Record<string, string>> = {},
): UnknownName[] {
  return Object.entries(present).flatMap(([name, value]) => {
    if (value === undefined || known.includes(name)) return [];
    const advice = Object.hasOwn(instead, name) ? instead[name] : undefined;
    const meant = advice ? undefined : findClosestName(name, known);
    return [{ name: prefix + name, kind, meant: meant && prefix + meant, instead: advice }];
  });
}

/** @param consequence what became of each */
export function describeUnknown(unknown: readonly UnknownName[], consequence = 'it is ignored'): string {
  const parts = unknown.slice(0, MAX_NAMED).map(({ name, kind, meant, instead }) => {
    const hint = meant ? ` (did you mean \`${meant}\`?)` : instead ? `. ${instead}` : '';
    return `${toPrintable(name, MAX_NAME_LENGTH)}: there is no such ${kind}; ${consequence}${hint}`;
  });
  const others = unknown.length - parts.length;
  return others > 0 ? `${parts.join('. ')}. ${others} more are ignored` : parts.join('. ');
}
