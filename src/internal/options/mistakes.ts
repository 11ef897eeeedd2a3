/** A mistake in what the application has passed to a function of the SDK. */
export interface Mistake {
  /** The function that got it: `httpServerIntegration`. */
  readonly owner: string;
  readonly problem: string;
  /** Whether it is written to stderr by default. */
  readonly isCostly: boolean;
}

/** More than an application makes: what is noted without an `init` that reports it must not grow. */
const MAX_UNREPORTED = 100;

let unreported: Mistake[] = [];

/** Keeps a mistake until a client reports it: integrations are created before `init`, and `debug` is one of its options. */
export function noteMistake(mistake: Mistake): void {
  const isNoted = unreported.some(({ owner, problem }) => owner === mistake.owner && problem === mistake.problem);
  if (!isNoted && unreported.length < MAX_UNREPORTED) unreported.push(mistake);
}

/** @returns the mistakes noted since the last call */
export function takeMistakes(): readonly Mistake[] {
  if (unreported.length === 0) return unreported;
  const taken = unreported;
  unreported = [];
  return taken;
}
