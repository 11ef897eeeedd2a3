import { getClient, getCurrentScope } from '../../context/current-scopes.js';
import { guard } from '../../internal/guard.js';
import { readOptions } from '../../internal/read-options.js';
import type { Integration } from '../../model/contracts.js';
import type { StringMatcher } from '../../model/options.js';
import { endByException, printRejectionWarning } from './fatal-exit.js';

/** Options of {@link onUnhandledRejectionIntegration}. */
export interface UnhandledRejectionOptions {
  /**
   * `warn` prints the reason, unless the application listens for rejections itself, and goes on; `strict` prints it and
   * ends the process with status 1; `none` only captures. @default 'warn'
   */
  mode?: 'none' | 'warn' | 'strict' | undefined;
  /**
   * Rejections that nothing is done about, by the name of the error; in addition to `AbortError` and
   * `AI_NoOutputGeneratedError`. A string is the whole name.
   */
  ignore?: StringMatcher[] | undefined;
}

const EVENT = 'unhandledRejection';
const IGNORED: readonly StringMatcher[] = ['AbortError', 'AI_NoOutputGeneratedError'];

/** Captures the reasons of promise rejections that nobody handled. */
export function onUnhandledRejectionIntegration(options?: UnhandledRejectionOptions): Integration {
  const { mode = 'warn', ignore = [] } = readOptions(options, { mode: 'string', ignore: 'list' });
  const ignored = [...IGNORED, ...ignore];
  const level = mode === 'strict' ? 'fatal' : 'error';
  const hint = {
    mechanism: { type: 'auto.node.onunhandledrejection', handled: false },
    captureContext: { level, extra: { unhandledPromiseRejection: true } },
  } as const;
  return {
    name: 'OnUnhandledRejection',
    setup(client) {
      const listener = (reason: unknown) => {
        if (getClient() !== client || isNamed(reason, ignored)) return;
        client.captureException(reason, hint, getCurrentScope());
        if (mode === 'strict') {
          endByException(client, reason);
        } else if (mode !== 'none' && process.listenerCount(EVENT) === 1) {
          printRejectionWarning(reason);
        }
      };
      process.on(EVENT, listener);
      return () => process.off(EVENT, listener);
    },
  };
}

function isNamed(reason: unknown, names: readonly StringMatcher[]): boolean {
  const name = guard('name of a rejection', () => (reason as { name?: unknown } | null | undefined)?.name, undefined);
  if (typeof name !== 'string') return false;
  return names.some((one) => (typeof one === 'string' ? one === name : name.search(one) >= 0));
}
