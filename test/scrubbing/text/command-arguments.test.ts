import { expect, it } from 'vitest';
import { credentialNames } from '../../../src/scrubbing/sensitive-names.js';
import { isSecretArgument } from '../../../src/scrubbing/text/command-arguments.js';

it.each<[previous: unknown, value: unknown, isSecret: boolean]>([
  ['--password', 'x', true],
  ['--db-password', 5, true],
  ['X-Api-Key', 'x', true],
  ['password:', 'x', true],
  ['--pin', '-x', true],
  ['--password', '--verbose', false],
  ['--password', { a: 1 }, false],
  ['--verbose', 'x', false],
  ['password', 'email', false],
  ['password', 'secret', true],
  ['--password', 'email', true],
  ['the password is wrong', 'x', false],
  [undefined, 'x', false],
  [7, 'x', false],
])('after %j, %j is a secret: %j', (previous, value, isSecret) => {
  expect(isSecretArgument(value, previous, credentialNames(undefined))).toBe(isSecret);
});
