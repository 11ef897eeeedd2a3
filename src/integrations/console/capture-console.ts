import { AsyncLocalStorage } from 'node:async_hooks';
import { formatWithOptions } from 'node:util';
import { getClient, getCurrentScope } from '../../context/current-scopes.js';
import { readOptions } from '../../internal/options/read-options.js';
import { isError } from '../../internal/values/is-error.js';
import type { Client, Integration } from '../../model/contracts.js';
import type { SeverityLevel } from '../../model/event/severity.js';
import { type Called, type EventHint, errorAt } from '../../model/hint.js';
import { namesOf } from '../../scrubbing/sensitive-names.js';
import {
  CONSOLE_METHODS,
  type ConsoleMethod,
  describeAssertion,
  INSPECTION,
  loggedBy,
  observeConsole,
  readLevels,
} from './console-methods.js';
import { filterNamedArguments } from './named-arguments.js';

export type { ConsoleMethod };

/** Options of {@link captureConsoleIntegration}. */
export interface CaptureConsoleOptions {
  /** Console methods to capture. @default all */
  levels?: ConsoleMethod[] | undefined;
  /** Value of `handled` in the mechanism of captured errors. @default true */
  handled?: boolean | undefined;
}

/** Some servers do not know the level `log`. */
const LEVELS: Record<ConsoleMethod, SeverityLevel> = {
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
  log: 'info',
  trace: 'info',
  assert: 'error',
};

/**
 * Set in everything that a capture causes, synchronously or later. Shared by all clients, because Node never frees an
 * `AsyncLocalStorage` that was used.
 */
const capturing = new AsyncLocalStorage<true>();

/** Marks the integration's own events. */
const ORIGIN = Object.freeze({ logger: 'console' });

/**
 * Captures console messages: the first error among the arguments, otherwise the string as a message. Messages that
 * hooks and processors log while they handle such an event are not captured, to avoid an endless loop.
 */
export function captureConsoleIntegration(options?: CaptureConsoleOptions): Integration {
  const { levels, handled } = readOptions('captureConsoleIntegration', options, {
    levels: [...CONSOLE_METHODS],
    handled: true,
  });
  const methods = readLevels('captureConsoleIntegration', levels);
  return {
    name: 'CaptureConsole',
    setup(client) {
      const after = (method: ConsoleMethod, args: readonly unknown[], called: Called) => {
        if (getClient() !== client || capturing.getStore()) return;
        const logged = loggedBy(method, args);
        if (!logged) return;
        const kept = filterNamedArguments(logged, namesOf(client.settings));
        capturing.run(true, () => capture(client, method, kept, handled, called));
      };
      return observeConsole(methods, { after });
    },
    preprocessEvent(event, { data }) {
      if (data === ORIGIN) event.logger ??= ORIGIN.logger;
    },
  };
}

function capture(
  client: Client,
  method: ConsoleMethod,
  logged: readonly unknown[],
  handled: boolean,
  called: Called,
): void {
  const level = LEVELS[method];
  const hint: EventHint = {
    data: ORIGIN,
    mechanism: { type: 'auto.core.capture_console', handled },
    captureContext: { level, extra: { arguments: logged } },
  };
  const error = logged.find(isError);
  const message = error ? '' : messageOf(method, logged);
  if (error) {
    client.captureException(error, hint, getCurrentScope());
  } else if (message) {
    if (client.settings.attachStacktrace) hint.syntheticException = errorAt(called, message);
    client.captureMessage(message, level, hint, getCurrentScope());
  }
}

function messageOf(method: ConsoleMethod, logged: readonly unknown[]): string {
  const message = formatWithOptions(INSPECTION, ...logged);
  return method === 'assert' ? describeAssertion(message) : message;
}
