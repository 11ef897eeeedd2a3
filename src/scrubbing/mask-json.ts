import { freeName } from '../internal/values/free-name.js';
import { isArray, isObject } from '../internal/values/read.js';
import { setOwn } from '../internal/values/set-own.js';
import { maskText } from './credentials.js';
import { findSecretMembers } from './secret-members.js';
import { FILTERED, type SensitiveNames } from './sensitive-names.js';
import { findSecretArguments, isSecretArgument } from './text/command-arguments.js';

/**
 * Masks credentials in data, by the names of its members and inside its strings and names.
 *
 * @param value JSON of bounded depth; not mutated
 */
export function maskJson(value: unknown, names: SensitiveNames): unknown {
  if (typeof value === 'string') return maskText(value, names);
  if (isArray(value)) return maskList(value, names);
  return isObject(value) ? maskMembers(value as Record<string, unknown>, names) : value;
}

/** The same for the members of an object. */
export function maskMembers(
  members: Readonly<Record<string, unknown>>,
  names: SensitiveNames,
): Record<string, unknown> {
  const secret = findSecretMembers(members, names);
  const masked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    const maskedName = maskText(name, names);
    const isSecret = secret.includes(name) || hasValue(name, value, names);
    const maskedValue = isSecret ? FILTERED : maskJson(withCommand(name, value, members, names), names);
    setOwn(masked, maskedName === name ? name : freeName(masked, maskedName), maskedValue);
  }
  return masked;
}

function hasValue(name: string, value: unknown, names: SensitiveNames): boolean {
  // What validators say is often a list.
  return isArray(value) && value.length > 0
    ? value.some((one) => names.hasValue(name, one))
    : names.hasValue(name, value);
}

/** The arguments in errors of child processes, which do not begin with the command. */
function withCommand(
  name: string,
  value: unknown,
  members: Readonly<Record<string, unknown>>,
  names: SensitiveNames,
): unknown {
  if (name !== 'spawnargs' || !isArray(value)) return value;
  const command = members.path ?? members.spawnfile;
  return typeof command === 'string' ? maskList([command, ...value], names).slice(1) : value;
}

function maskList(list: readonly unknown[], names: SensitiveNames): unknown[] {
  const secret = findSecretArguments(list);
  return list.map((one, i) =>
    secret.has(i) || isSecretArgument(one, list[i - 1], names) ? FILTERED : maskJson(one, names),
  );
}
