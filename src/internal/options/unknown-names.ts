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
}

/** @param prefix stands in front of the names in messages */
export function listUnknown(
  kind: UnknownName['kind'],
  prefix: string,
  present: object,
  known: readonly string[],
): UnknownName[] {
  return Object.entries(present).flatMap(([name, value]) => {
    if (value === undefined || known.includes(name)) return [];
    const meant = findClosestName(name, known);
    return [{ name: prefix + name, kind, meant: meant && prefix + meant }];
  });
}

/** @param consequence what became of each */
export function describeUnknown(unknown: readonly UnknownName[], consequence = 'it is ignored'): string {
  const parts = unknown.slice(0, MAX_NAMED).map(({ name, kind, meant }) => {
    return `${toPrintable(name, MAX_NAME_LENGTH)}: there is no such ${kind}; ${consequence}${meant ? ` (did you mean \`${meant}\`?)` : ''}`;
  });
  const others = unknown.length - parts.length;
  return others > 0 ? `${parts.join('. ')}. ${others} more are ignored` : parts.join('. ');
}
