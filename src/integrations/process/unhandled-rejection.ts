import { getClient, getCurrentScope } from '../../context/current-scopes.js';
import { createLogger } from '../../internal/diag.js';
import { matchesAny } from '../../internal/options/match.js';
import { readOptions } from '../../internal/options/read-options.js';
import { readString } from '../../internal/values/read.js';
import type { Client, Integration } from '../../model/contracts.js';
import { type Called, errorAt } from '../../model/hint.js';
import type { InnerClient } from '../../model/inner-client.js';
import type { StringMatcher } from '../../model/options.js';
import { FatalExit } from './fatal-exit.js';
import { printRejectionWarning } from './print-error.js';
import { isLastObserver, isRejectionHandledByApplication, observeRejections, readRejectionMode } from './rejections.js';

const log = createLogger('unhandled-rejection');

/** Options of {@link onUnhandledRejectionIntegration}. */
export interface UnhandledRejectionOptions {
  /**
   * What happens to the process. By default the same as without the SDK: Node's `--unhandled-rejections` and the
   * application's listeners decide. `warn` prints the reason, unless the application listens for rejections, and
   * continues; `strict` prints it and ends the process with status 1; `none` only captures.
   */
  mode?: 'none' | 'warn' | 'strict' | undefined;
  /**
   * Rejections that are not captured, by the error's name; a string must match the whole name. Does not change what
   * happens to the process. @default []
   */
  ignore?: StringMatcher[] | undefined;
}

/** Captures the reasons of unhandled promise rejections. */
export function onUnhandledRejectionIntegration(options?: UnhandledRejectionOptions): Integration {
  const { mode, ignore } = readOptions('onUnhandledRejectionIntegration', options, { ignore: [] }, { mode: 'string' });
  return {
    name: 'OnUnhandledRejection',
    setup(client: InnerClient) {
      const nodeMode = readRejectionMode();
      const exit = client.stateOf(FatalExit);
      exit.isIgnored = (reason) => {
        const isIgnored = isNamed(reason, ignore);
        if (isIgnored) log.debug('an unhandled rejection is not captured, because the option `ignore` names it');
        return isIgnored;
      };
      // In this mode Node first raises each rejection as an exception, which the uncaught-exception integration
      // captures.
      if (mode === undefined && nodeMode === 'strict') return undefined;
      const needsNode = mode === undefined && (nodeMode === 'throw' || nodeMode === 'warn-with-error-code');
      const listener = (reason: unknown) => {
        const isCurrent = getClient() === client;
        if ((!isCurrent && !isLastObserver(listener)) || exit.isOverdue) return;
        const isHandled = isRejectionHandledByApplication();
        const isRaised = needsNode && nodeMode === 'throw' && !isHandled;
        const isFatal = mode === 'strict' || (isRaised && !exit.isLeftToApplication());
        if (isCurrent && !exit.isIgnored(reason)) capture(client, reason, isFatal, listener);
        if (mode === 'strict') exit.byException(reason);
        else if (mode === 'warn' && !isHandled) printRejectionWarning(reason);
        else if (isFatal && !exit.isLeftToExit()) exit.byRejection(reason);
        else if (needsNode && !isHandled) exit.leaveToNode(reason);
      };
      return observeRejections(listener);
    },
  };
}

function capture(client: Client, reason: unknown, isFatal: boolean, listener: Called): void {
  const hint = {
    mechanism: { type: 'auto.node.onunhandledrejection', handled: false },
    // For reasons that are not errors. Its frames are Node's, which at least show that it was a rejection.
    syntheticException: errorAt(listener, 'unhandled rejection'),
    captureContext: { level: isFatal ? 'fatal' : 'error', extra: { unhandledPromiseRejection: true } },
  } as const;
  client.captureException(reason, hint, getCurrentScope());
}

function isNamed(reason: unknown, names: readonly StringMatcher[]): boolean {
  const name = readString(reason, 'name');
  if (name === undefined) return false;
  return names.some((one) => (typeof one === 'string' ? one === name : matchesAny(name, [one])));
}
