import fc from '../support/fast-check.js';

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
  overwrittenSpans: 600,
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

/** How many calls a case has, times what it has in the normal run. */
export const LENGTH = Number(process.env['FUZZ_LENGTH']) || 1;
const factor = Math.max(Number(process.env['FUZZ_RUNS']) || 0.2, 0.001);

/** For how long a property may be tried, and its smallest failing case be searched for. */
export const TIMEOUT_MILLIS = 180_000 * Math.max(factor, 1) * Math.max(LENGTH / 10, 1);

/**
 * Tries a property; a failure names the seed, the path to the smallest case found, and that case. The search for it ends
 * before the test does, whose end would name none of them.
 */
export async function everyCase<Values extends unknown[]>(
  name: keyof typeof CASES,
  property: fc.IAsyncPropertyWithHooks<Values>,
): Promise<void> {
  await fc.assert(property, {
    numRuns: Math.ceil(CASES[name] * factor),
    interruptAfterTimeLimit: 0.9 * TIMEOUT_MILLIS,
    markInterruptAsFailure: true,
    verbose: fc.VerbosityLevel.None,
  });
}

/** What the calls of a case are made with: as many as `FUZZ_LENGTH` says, or up to the given number of times as many. */
export function severalOf<T>(one: fc.Arbitrary<T>, times = 1): fc.Arbitrary<T[]> {
  return fc.array(one, { minLength: LENGTH, maxLength: times * LENGTH });
}
