import { notify } from '../context/notify.js';
import { isPartOfKind, wasMade } from '../context/parts.js';
import { processWide } from '../context/process-wide.js';
import { guardOwn } from '../internal/guard.js';
import { readProperty } from '../internal/values/read.js';
import type { Client } from '../model/contracts.js';
import type { Settings } from '../model/options.js';
import { readApiGlobals, registeredTracerProvider } from '../tracing/setup/api-globals.js';
import { reportProviderWithoutParts } from '../tracing/setup/watch-providers.js';
import { callLater } from './call-later.js';

/** How long after `init` the application may take to set OpenTelemetry up before problems are reported. */
export const SETTLING_MILLIS = 1000;
/** How much longer before stderr says that it has not done so. */
const LATE_SETUP_MILLIS = 10_000;

/** `init` reports these itself. */
const REPORTED_BY_INIT: readonly string[] = [
  'invalid-dsn',
  'options-rejected',
  'captured-before-init',
  'names-without-effect',
];

/** These lose data that was there without Faultline, or that an option asks for, and nothing else says so. */
const ON_STDERR: readonly string[] = ['exceptions-unobserved', 'exporters-replaced'];

/** With these, there is a rate for traces, and no transaction is sent. */
const WITHOUT_TRANSACTIONS: readonly string[] = [
  'no-tracer-provider',
  'no-span-processor',
  'exporter-behind-sampler',
  'existing-sampler-off',
];

/**
 * Warns about problems of the setup: through OTel's `diag` about all of them, in one line, once for each client, and on stderr
 * about those that lose data.
 *
 * With `skipOpenTelemetrySetup` the application may set OpenTelemetry up after `init`. The check then runs a second later,
 * or when the event loop runs empty before that; it does not run once the client is closed. Stderr hears of a setup that is still
 * missing only where it is meant to be there: scripts and the primary of a cluster may share the options of a server.
 */
export function reportOpenTelemetryProblems(client: Client): void {
  const check = (run: (client: Client) => void) => guardOwn('the check of the OpenTelemetry setup', () => run(client));
  if (!client.settings.skipOpenTelemetrySetup) {
    check(warnOfProblems);
    check(printLosses);
    return;
  }
  const settle = (isAtEnd: boolean) => {
    const isMeant = () => registeredTracerProvider() || hasTraces() || !(isAtEnd || isClusterPrimary());
    if (!guardOwn('the need of an OpenTelemetry setup', isMeant)) return;
    reportProviderWithoutParts(client.settings);
    check(printLosses);
  };
  callLater(client, SETTLING_MILLIS, (isAtEnd) => {
    check(warnOfProblems);
    if (isAtEnd || registeredTracerProvider()) settle(isAtEnd);
    else callLater(client, LATE_SETUP_MILLIS, settle);
  });
}

/** Whether the process had anything that becomes a transaction, or has made our parts. */
function hasTraces(): boolean {
  const { serverRequests, hasUnrecordedSpans } = processWide().observed;
  return (
    serverRequests > 0 || hasUnrecordedSpans || wasMade('FaultlineSpanProcessor') || wasMade('FaultlineSpanExporter')
  );
}

/** Whether the process leaves the work to others, also once these have ended. Loaded late, because few applications have it. */
function isClusterPrimary(): boolean {
  return readProperty(readProperty(process.getBuiltinModule('node:cluster'), 'settings'), 'exec') !== undefined;
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

/** A rate of 0 asks for no transactions, nor does the one that `faultline dev` sets for applications that have none. */
export function wantsTransactions({ tracesSampleRate, tracesSampler }: Settings): boolean {
  return tracesSampler !== undefined || ((tracesSampleRate ?? 0) > 0 && !processWide().observed.isRateOfTool);
}

function printLosses(client: Client): void {
  const { captureRecordedExceptions, dsn } = client.settings;
  const isTracing = dsn && wantsTransactions(client.settings);
  // Loading the checks is not worth its time where none of these problems can be.
  const isPossible = isTracing || captureRecordedExceptions || findExporterVariable() !== undefined;
  if (!isPossible || isPartOfKind(registeredTracerProvider(), 'FaultlineTracerProvider')) return;
  const codes = isTracing ? ON_STDERR.concat(WITHOUT_TRANSACTIONS) : ON_STDERR;
  for (const { code, message, remedy } of client.openTelemetryStatus().problems) {
    // Where no part was ever made, `reportProviderWithoutParts` has said so.
    const notice = code === 'no-span-processor' ? 'provider-without-parts' : (`setup:${code}` as const);
    if (codes.includes(code)) notify(notice, `${message} Fix: ${remedy}`, client.settings);
  }
}

/** The variable by which `NodeSDK` would make an exporter. */
export function findExporterVariable(): string | undefined {
  const { env } = process;
  const names = env['OTEL_TRACES_EXPORTER']?.trim();
  if (names) return names === 'none' ? undefined : 'OTEL_TRACES_EXPORTER';
  return ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'].find((name) => env[name]?.trim());
}
