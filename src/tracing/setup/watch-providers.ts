import { type TraceAPI, type TracerProvider, trace } from '@opentelemetry/api';
import { notify } from '../../context/notify.js';
import { isPartOfKind, wasMade } from '../../context/parts.js';
import { processWide } from '../../context/process-wide.js';
import { createLogger } from '../../internal/diag.js';
import { replaceMethod, undoAll } from '../../internal/patching/replace-method.js';
import type { Settings } from '../../model/options.js';
import { partNameOf, registeredTracerProvider } from './api-globals.js';
import { getImportedApi } from './imported-api.js';

const log = createLogger('open-telemetry');

let stopLast = (): void => undefined;

/**
 * Prints a line on stderr if the application has registered a tracer provider without our parts: no span becomes a
 * transaction, although there is a sample rate. `diag` gets it as one of the problems of the setup.
 */
export function reportProviderWithoutParts(settings: Settings): void {
  const { dsn, tracesSampleRate, tracesSampler, skipOpenTelemetrySetup: isOwn } = settings;
  const isTracing = tracesSampler !== undefined || (tracesSampleRate ?? 0) > 0;
  if (!dsn || !isTracing || wasMade('FaultlineSpanProcessor') || wasMade('FaultlineSpanExporter')) return;
  const provider = registeredTracerProvider();
  if (!provider) return;
  const when = isOwn ? '' : ' before init';
  const advice = isOwn ? 'Pass' : 'Call init({ skipOpenTelemetrySetup: true }) and pass';
  const [what, end] = processWide().observed.isRateOfTool
    ? ['only errors are shown', ' to see traces']
    : ['no transaction is sent', '; without tracesSampleRate, only errors are sent'];
  const message = `${what}, because OpenTelemetry was set up${when} (${partNameOf(provider) ?? 'a tracer provider'}) without Faultline's parts. ${advice} ...openTelemetry() to your own setup${end}`;
  notify('provider-without-parts', message, settings);
}

/**
 * Reports an application that registers a tracer provider although `init` has registered one. The API refuses the second
 * one and says so only to `diag`; its exporters then get no spans.
 *
 * @returns stops watching; a later call stops the watching of an earlier one
 */
export function watchProviders({ quiet }: Pick<Settings, 'quiet'>): () => void {
  stopLast();
  const report = (className: string): void => {
    processWide().observed.refusedProvider = className;
    const message = `${className} was not registered, because init had registered a tracer provider before: no span reaches your exporters. Call init({ skipOpenTelemetrySetup: true }) or set FAULTLINE_SKIP_OPEN_TELEMETRY_SETUP=true, and pass ...openTelemetry() to your own setup to see traces`;
    log.warn(message);
    notify('provider-refused', message, { quiet });
  };
  stopLast = undoAll(Array.from(new Set([trace, getImportedApi() ?? trace]), (api) => watch(api, report)));
  return stopLast;
}

function watch(api: TraceAPI, report: (className: string) => void): () => void {
  const register = api.setGlobalTracerProvider;
  return replaceMethod(api, 'setGlobalTracerProvider', function (this: TraceAPI, provider: TracerProvider): boolean {
    const isRegistered = register.call(this, provider);
    if (!isRegistered && isPartOfKind(registeredTracerProvider(), 'FaultlineTracerProvider')) {
      report(partNameOf(provider) ?? 'A tracer provider');
    }
    return isRegistered;
  });
}
