import fc from 'fast-check';

const { FUZZ_RUNS, FUZZ_SEED } = process.env;

/** The normal run repeats its cases, so that it fails by what a change does; longer ones draw new ones. */
const NORMAL_SEED = 20_260_101;

/** Undefined: a new one each time. A failure prints it. */
const seed = FUZZ_SEED ? Number(FUZZ_SEED) : FUZZ_RUNS ? undefined : NORMAL_SEED;
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

export default fc;
