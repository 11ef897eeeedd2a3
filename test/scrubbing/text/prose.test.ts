import { expect, it } from 'vitest';
import { credentialNames } from '../../../src/scrubbing/sensitive-names.js';
import { maskProse } from '../../../src/scrubbing/text/prose.js';
import { cpuMicrosOf } from '../../support/growth.js';

const NAMES = credentialNames(undefined);
const SIZE = 64 * 1024;
/** Far above what the search takes, and far below what it took when each length of a value was tried. */
const MAX_MICROS = 200_000;

it.each(['code=salt=', `"k":"${'a'.repeat(3000)}" salt `])(
  'what is looked for behind a value is looked for once: %.20s',
  (part) => {
    const text = part.repeat(Math.ceil(SIZE / part.length));
    maskProse(text.slice(0, 1000), NAMES);
    expect(cpuMicrosOf(() => maskProse(text, NAMES))).toBeLessThan(MAX_MICROS);
  },
);
