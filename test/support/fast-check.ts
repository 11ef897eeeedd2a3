import fc from 'fast-check';

const { FUZZ_RUNS, FUZZ_SEED } = process.env;

/** The normal run repeats its cases, so that it fails by what a change does; longer ones draw new ones. */
const NORMAL_SEED = 20_260_101;

/** Undefined: a new one each time. A failure prints it. */
const seed = FUZZ_SEED ? Number(FUZZ_SEED) : FUZZ_RUNS ? undefined : NORMAL_SEED;
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * Strings of any characters: those of `fc.string({ unit: 'binary' })`. That one puts all 1.1 million characters into a map
 * first, in each file that uses it, which takes longer than many files.
 */
export const anyString = (constraints: { maxLength?: number } = {}) => fc.string({ unit: character, ...constraints });

const character = fc.nat(0x10ffff - SURROGATES).map(
  (index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES),
  (value) => {
    const [first, ...rest] = typeof value === 'string' ? value : '';
    const code = first?.codePointAt(0) ?? Number.NaN;
    const isSurrogate = code >= FIRST_SURROGATE && code < FIRST_SURROGATE + SURROGATES;
    if (rest.length > 0 || isSurrogate || Number.isNaN(code)) throw new Error('not one character');
    return code < FIRST_SURROGATE ? code : code - SURROGATES;
  },
);

export default fc;
