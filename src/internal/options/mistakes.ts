import { findSharedState, MISTAKES_SLOT } from '../shared-state.js';

/** A mistake in what the application has passed to a function of the SDK. */
interface Mistake {
  /** The function that got it: `httpServerIntegration`. */
  readonly owner: string;
  readonly problem: string;
  /** Whether it is written to stderr by default. @default true */
  readonly isCostly?: boolean;
}

/** Bounds the list in applications that never call `init`. More than an application makes. */
const MAX_UNREPORTED = 100;

let found: Mistake[] | undefined;

/** One list for all copies of this package: an integration may be of another copy than `init`. */
function unreported(): Mistake[] {
  found ??= findSharedState(MISTAKES_SLOT, () => ({ unreported: [] as Mistake[] })).unreported;
  return found;
}

/** Keeps a mistake until a client reports it: integrations are created before `init`, and `debug` is one of its options. */
export function noteMistake(mistake: Mistake): void {
  const noted = unreported();
  const isNoted = noted.some(({ owner, problem }) => owner === mistake.owner && problem === mistake.problem);
  if (!isNoted && noted.length < MAX_UNREPORTED) noted.push(mistake);
}

/** @returns the mistakes noted since the last call */
export function takeMistakes(): readonly Mistake[] {
  const noted = unreported();
  // Asked at each capture: without mistakes, nothing is allocated.
  return noted.length === 0 ? noted : noted.splice(0);
}
