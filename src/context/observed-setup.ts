/**
 * What has happened since the last `init` that shows whether the setup works, for the health report. Only counters and
 * flags: captures, requests and spans write them.
 */
export interface ObservedSetup {
  /** Captures that found no client, before `init`. */
  readonly capturesBeforeInit: number;
}

export function createObservedSetup(capturesBeforeInit = 0): ObservedSetup {
  return { capturesBeforeInit };
}
