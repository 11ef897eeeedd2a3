import { type Service, startService } from '../support/services/start-service.js';

/** `init` alone, with OTel's instrumentations registered beside it; or with its parts in OTel's own SDK. */
export const SETUPS = ['alone', 'beside'] as const;

/** Also `init` without any instrumentation. */
export const ALL_SETUPS = [...SETUPS, 'plain'] as const;

/** Starts an application as its author would: with a setup that runs before it. */
export function startApp(
  file: string,
  setup: (typeof ALL_SETUPS)[number],
  env: Record<string, string>,
): Promise<Service> {
  return startService(env, {
    file: new URL(`apps/${file}`, import.meta.url),
    execArgv: ['--import', new URL(`setup/${setup}.mjs`, import.meta.url).href],
  });
}
