import { guardOwn } from '../guard.js';
import { copyOwn } from '../values/copy-own.js';
import { describe, describeReplacement } from '../values/in-message.js';
import { isArray, readProperty } from '../values/read.js';
import { type OptionRow, parseObject, type Warn } from './option-rows.js';

/** @param name of the option or of the environment variable */
export function parseRow(name: string, row: OptionRow, value: unknown, warn: Warn, mention: Warn): unknown {
  const parsed = guardOwn(`reading the option ${name}`, () => row.parse(value, warn, mention));
  if (parsed !== undefined) return parsed;
  const replacement = 'whenBad' in row ? row.whenBad : row.default;
  const found = isArray(value)
    ? `an array whose first element is ${describe(readProperty(value, 0))}`
    : describe(value);
  const warnOfBad = value === '' && row.isUnsetByEmpty ? mention : warn;
  warnOfBad(
    `${name}: must be ${row.expected}, but is ${found}; ${row.consequence ?? describeReplacement(replacement)}`,
  );
  return replacement;
}

/** An object whose members have rows. A bad member is left out; one without a row stays. */
export function membersOf(name: string, rows: Readonly<Record<string, OptionRow>>): OptionRow {
  const parse = (value: unknown, warn: Warn, mention: Warn): unknown => {
    if (!parseObject(value)) return undefined;
    const members = copyOwn(value);
    for (const [member, row] of Object.entries(rows)) {
      const given = members[member] ?? undefined;
      const parsed = given === undefined ? given : parseRow(`${name}.${member}`, row, given, warn, mention);
      if (parsed === undefined) delete members[member];
      else members[member] = parsed;
    }
    return members;
  };
  return { expected: 'an object', parse };
}
