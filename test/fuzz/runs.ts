import fc from 'fast-check';

/**
 * How many cases each property is tried with. The normal run takes a fifth of them, `FUZZ_RUNS=20 npm run test:fuzz` twenty
 * times as many; `FUZZ_SEED=…` repeats what a failure has printed.
 */
export const CASES = {
  capturedExceptions: 1200,
  capturedMessages: 800,
  capturedEvents: 1800,
  feedbackAndSessions: 500,
  breadcrumbs: 500,
  everyExport: 1600,
  clientMethods: 300,
  scopes: 1000,
  spans: 1200,
  spanMethods: 700,
  callbacks: 600,
  openTelemetryParts: 700,
  transportFactory: 300,
  options: 400,
  hooks: 500,
  integrations: 300,
  transports: 300,
  answers: 200,
  programs: 500,
} as const;

const { FUZZ_RUNS, FUZZ_SEED } = process.env;
const factor = Math.max(Number(FUZZ_RUNS) || 0.2, 0.001);

/** The normal run repeats its cases, so that it fails by what a change does; longer ones draw new ones. */
const NORMAL_SEED = 20_260_101;
const seed = FUZZ_SEED ? Number(FUZZ_SEED) : FUZZ_RUNS ? undefined : NORMAL_SEED;

/** For how long a property may be tried. */
export const TIMEOUT_MILLIS = 180_000 * Math.max(factor, 1);

/** Tries a property; a failure names the seed, the path to the smallest case found, and that case. */
export async function everyCase<Values extends unknown[]>(
  name: keyof typeof CASES,
  property: fc.IAsyncPropertyWithHooks<Values>,
): Promise<void> {
  await fc.assert(property, { numRuns: Math.ceil(CASES[name] * factor), seed, verbose: fc.VerbosityLevel.None });
}
