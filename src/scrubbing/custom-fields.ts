import type { ScrubbingOptions } from '../model/options.js';
import { sourceOf } from './custom-names.js';
import { credentialNames } from './sensitive-names.js';
import { AssignmentMask } from './text/assignments.js';

/** Masks values that strings assign to a name: `employeeNo=4711`, `{"employeeNo":4711}`, `X-Tenant: acme`. */
export type TextMask = (text: string) => string;

/**
 * Looks for the `fields` and `headers` of the option `scrubbing` in strings of any kind. Only for names that are listed as
 * strings: a regular expression for a whole name cannot be searched for.
 *
 * @returns `undefined` without such names
 */
export function createCustomMask({ fields = [], headers = [], allow = [] }: ScrubbingOptions): TextMask | undefined {
  const listed = [...fields, ...headers].filter((one) => typeof one === 'string');
  const source = sourceOf(listed);
  if (source === undefined) return undefined;
  const word = String.raw`(?<![a-z\d])(?:${source})(?![a-z\d])`;
  const mask = new AssignmentMask(credentialNames({ fields: listed, allow }), word);
  return (text) => mask.apply(text);
}
