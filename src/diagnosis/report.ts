import { notify } from '../context/notify.js';
import { isPartOfKind } from '../context/parts.js';
import { guard } from '../internal/guard.js';
import { listenToProcess } from '../internal/node/own-listeners.js';
import { unref } from '../internal/unref.js';
import { readProperty } from '../internal/values/read.js';
import type { Client } from '../model/contracts.js';
import { readApiGlobals, registeredTracerProvider } from '../tracing/setup/api-globals.js';
import { reportProviderWithoutParts } from '../tracing/setup/watch-providers.js';
import { exporterVariableIn } from './exporter-variable.js';

/** How long after `init` the application may take to set OpenTelemetry up before problems are reported. */
export const SETTLING_MILLIS = 1000;

/** `init` reports these itself. */
const REPORTED_BY_INIT: readonly string[] = [
  'invalid-dsn',
  'options-rejected',
  'captured-before-init',
  'names-without-effect',
];

/** These lose data that was there without Faultline, or that an option asks for, and nothing else says so. */
const ON_STDERR: readonly string[] = ['exceptions-unobserved', 'exporters-replaced'];

/**
 * Warns about problems of the setup: through OTel's `diag` about all of them, in one line, once for each client, and on stderr
 * about those that lose data.
 *
 * With `skipOpenTelemetrySetup` the application may set OpenTelemetry up after `init`. The check then runs a second later,
 * or when the event loop runs empty before that; it does not run once the client is closed.
 */
export function reportOpenTelemetryProblems(client: Client): void {
  const check = (run: (client: Client) => void) => guard('the check of the OpenTelemetry setup', () => run(client));
  const report = () => {
    check(warnOfProblems);
    check(printLosses);
  };
  if (!client.settings.skipOpenTelemetrySetup) {
    report();
    return;
  }
  const stop = () => {
    clearTimeout(timer);
    stopAtEnd();
    forget();
  };
  const settle = () => {
    stop();
    reportProviderWithoutParts(client.settings);
    report();
  };
  const timer = unref(setTimeout(settle, SETTLING_MILLIS));
  const stopAtEnd = listenToProcess('beforeExit', settle);
  const forget = client.on('close', stop);
}

/** Calls the registered logger directly, because our copy of the API may be of another version and not reach it. */
function warnOfProblems(client: Client): void {
  const { diag } = readApiGlobals();
  if (typeof readProperty(diag, 'warn') !== 'function') return;
  const problems = client.openTelemetryStatus().problems.filter(({ code }) => !REPORTED_BY_INIT.includes(code));
  if (problems.length === 0) return;
  const lines = problems.map(({ code, message, remedy }) => `${code}: ${message} Fix: ${remedy}`);
  (diag as { warn(...messages: unknown[]): void }).warn('faultline/open-telemetry', lines.join(' | '));
}

function printLosses(client: Client): void {
  // Loading the checks is not worth its time where none of these problems can be.
  const isPossible = client.settings.captureRecordedExceptions || exporterVariableIn(process.env) !== undefined;
  if (!isPossible || isPartOfKind(registeredTracerProvider(), 'FaultlineTracerProvider')) return;
  for (const { code, message, remedy } of client.openTelemetryStatus().problems) {
    if (ON_STDERR.includes(code)) notify(`setup:${code}`, `${message} Fix: ${remedy}`, client.settings);
  }
}
