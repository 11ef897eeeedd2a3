import { noteMistake } from '../../internal/options/mistakes.js';
import { describe, typeOf } from '../../internal/values/in-message.js';
import { toPrintable } from '../../internal/values/printable.js';
import { isArray, isIndexed, isObject, readList } from '../../internal/values/read.js';
import type { Attachment } from '../event/attachment.js';

/* Mistakes in data for events are noted without the value, which may be personal. `undefined` is not a mistake. */

const MAX_KEY_LENGTH = 60;

export function isNoObject(owner: string, value: unknown): boolean {
  if (value === undefined || (typeof value === 'object' && !isIndexed(value))) return false;
  note(owner, `must be an object with members, but is ${typeOf(value)}; it is ignored`);
  return true;
}

export function isNoKey(owner: string, key: unknown): boolean {
  if (typeof key === 'string') return false;
  note(owner, `a key must be a string, but is ${describe(key)}; it is ignored`);
  return true;
}

export function isNoFunction(owner: string, value: unknown): boolean {
  if (typeof value === 'function') return false;
  note(owner, `the callback must be a function, but is ${typeOf(value)}; it is ignored`);
  return true;
}

/** @param expected what the member must be: `a string` */
export function noteWrongMember(owner: string, member: string, expected: string, value: unknown): void {
  if (value === undefined || value === null) return;
  note(owner, `${toPrintable(member, MAX_KEY_LENGTH)} must be ${expected}, but is ${typeOf(value)}; it is left out`);
}

/** @returns the attachments of a list; other elements are noted and left out */
export function readAttachments(value: unknown): Attachment[] {
  if (!isArray(value)) noteWrongMember('attachments', 'the value', 'a list of attachments', value);
  return readList(value).filter((one): one is Attachment => !isNoObject('attachments', one) && isObject(one));
}

/** Reports an object or function as a tag value: only its type is sent, for example `[Object]`. */
export function noteTagValue(key: string, value: unknown): void {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return;
  const name = toPrintable(JSON.stringify(key), MAX_KEY_LENGTH);
  note(
    'tags',
    `the value of ${name} must be a string, number or boolean, but is ${typeOf(value)}; only its type is sent`,
  );
}

function note(owner: string, problem: string): void {
  noteMistake({ owner, problem });
}
