import { type Client, DefaultClient } from './client.js';
import { otherMajorsInUse, registerCopy } from './context/copies.js';
import { getGlobalScope } from './context/current-scopes.js';
import { noteClientOfMainThread } from './context/main-thread.js';
import { notify } from './context/notify.js';
import { createObservedSetup } from './context/observed/observed-setup.js';
import { reportMistakes } from './context/observed/report-mistakes.js';
import { processWide, resetProcessWide } from './context/process-wide.js';
import { shareNotices } from './context/written-notices.js';
import { logActivity } from './diagnosis/activity.js';
import { reportLateDsn } from './diagnosis/late-dsn.js';
import { exportLedgerMetrics } from './diagnosis/ledger-metrics.js';
import { reportOpenTelemetryProblems } from './diagnosis/report.js';
import { readOpenTelemetryStatus } from './diagnosis/status.js';
import { getDefaultIntegrations } from './integrations/default.js';
import { resolveIntegrations } from './integrations/resolve.js';
import { createLogger, enableDebugOutput } from './internal/diag.js';
import { Emitter } from './internal/emitter.js';
import { guardOwn, reportOwnFailure } from './internal/guard.js';
import { isHooksThread } from './internal/node/hooks-thread.js';
import { writeToStderr } from './internal/node/stderr.js';
import { runDetached } from './internal/run-detached.js';
import { describe } from './internal/values/in-message.js';
import { readProperty } from './internal/values/read.js';
import { describeThrown } from './internal/values/strings.js';
import { SDK_VERSION } from './internal/version.js';
import type { ClientHooks, Integration } from './model/contracts.js';
import type { Dsn } from './model/delivery/dsn.js';
import { Ledger } from './model/delivery/ledger.js';
import type { InnerClient } from './model/inner-client.js';
import type { Options, Settings } from './model/options.js';
import { setDefaultClientLookup } from './model/scope/scope.js';
import { trustIntegrations } from './model/trusted-integrations.js';
import { resolveOptions } from './options.js';
import { createStore } from './store/create-store.js';
import { observeUnrecordedSpans } from './tracing/exceptions/unrecorded-exceptions.js';
import { registerOpenTelemetry, unregisterOpenTelemetry } from './tracing/open-telemetry.js';
import { keepApiGlobals } from './tracing/setup/api-globals.js';
import { reportProviderWithoutParts, watchProviders } from './tracing/setup/watch-providers.js';
import { createOutbox } from './transport/create-outbox.js';
import { dsnToString, findDsnProblem, hideSecret, parseDsn } from './transport/dsn.js';

const log = createLogger('init');

/**
 * Sets up the client, OpenTelemetry (unless `skipOpenTelemetrySetup`) and the integrations. The new client becomes the current
 * one; the client of an earlier call is closed in the background. Never throws: bad options are replaced and reported, on stderr
 * or, with `debug`, through OTel's `diag`. In the thread of module hooks the client is disabled.
 *
 * @example
 * init({ dsn: 'https://key@errors.example.com/1', tracesSampleRate: 0.2 });
 */
export function init(options: Options = {}): Client {
  try {
    return start(options);
  } catch (error) {
    guardOwn('the failure of init', () => reportInitFailure(error, options));
  }
  // Undefined, against its type, only if the application has broken a built-in that every client needs.
  return guardOwn('init', () => createClient({ enabled: false }, {}).client)!;
}

function reportInitFailure(error: unknown, options: Options): void {
  reportOwnFailure('init', error);
  if (readProperty(options, 'quiet') === true) return;
  const hint = 'FAULTLINE_DEBUG=true shows where';
  writeToStderr(`faultline: init failed, and nothing is captured: ${describeThrown(error)}. ${hint}\n`);
}

function start(options: Options): Client {
  const [own, env] = isHooksThread ? [{ enabled: false }, {}] : [options, process.env];
  const { client, integrations, problems } = createClient(own, env);
  const { settings } = client;
  shareNotices();
  noteClientOfMainThread(settings);
  registerCopy();
  reportOtherMajors(settings);
  makeCurrent(client);
  noteEarlyCaptures(settings);
  if (isWithoutDestination(client)) reportLateDsn(client);
  const { observed } = processWide();
  observed.optionProblems = problems;
  observed.isRateOfTool =
    env['FAULTLINE_DEV'] !== undefined &&
    settings.skipOpenTelemetrySetup &&
    readProperty(own, 'tracesSampleRate') === undefined;
  if (settings.dsn !== undefined && !client.dsn) observed.dsnProblem = findDsnProblem(settings.dsn);
  if (settings.enabled) {
    reportProviderWithoutParts(settings);
    if (!settings.skipOpenTelemetrySetup) registerOpenTelemetry(settings);
    client.on('close', watchProviders(settings));
    if (settings.captureRecordedExceptions) client.on('close', observeUnrecordedSpans(client));
    client.setupIntegrations();
    client.on('close', exportLedgerMetrics(client));
    reportOpenTelemetryProblems(client);
    keepApiGlobals();
  }
  if (settings.debug) logActivity(client, integrations);
  return client;
}

/**
 * Creates a client that is not the current one, and does not set its integrations up.
 *
 * @param env the variables that options may come from
 * @returns `problems`: what is wrong with the options
 */
export function createClient(
  options: Options,
  env: NodeJS.ProcessEnv,
): { client: DefaultClient; integrations: readonly Integration[]; problems: string[] } {
  const problems: string[] = [];
  const settings = resolveOptions(options, env, {
    onDebug: () => {
      processWide().writesDiag = enableDebugOutput();
    },
    notify,
    onProblem: (problem) => problems.push(problem),
  });
  const dsn = readDsn(settings);
  const ledger = new Ledger();
  const hooks = new Emitter<ClientHooks>();
  const onUnusable = (problem: string) =>
    notify(
      'store-unusable',
      `The folder where unsent envelopes are stored cannot be used: ${problem}. What is unsent when the process ends is lost. Set another one with transportOptions.store.directory or FAULTLINE_STORE_DIR`,
      settings,
    );
  // Without it, all is captured and sent as long as the destination answers.
  const store =
    dsn &&
    guardOwn('the store of unsent envelopes', () =>
      createStore(settings, { env, destination: dsnToString(dsn), ledger, onUnusable }),
    );
  // Marked as trusted before user code (the function in the option `integrations`) can change them.
  const integrations = resolveIntegrations(settings, () => trustIntegrations(getDefaultIntegrations(settings)));
  const outbox = createOutbox({ settings, dsn, ledger, emit: hooks.emit.bind(hooks), notify, store });
  reportMistakes(settings, problems);
  const client = new DefaultClient({ settings, dsn, ledger, hooks, outbox, integrations, readOpenTelemetryStatus });
  return { client, integrations, problems };
}

/** Takes back what `init` has set for the process, once its client is closed. For tests. */
export function undoInit(): void {
  unregisterOpenTelemetry();
  resetProcessWide();
}

/** For stderr only: `diag` lists it among the problems of the setup. */
function reportOtherMajors(settings: Settings): void {
  const others = otherMajorsInUse();
  if (others.length === 0) return;
  const message = `init was called in copies of incompatible versions (${SDK_VERSION}, ${others.join(', ')}), which share neither scopes nor clients. Let all parts of the application use one version: npm dedupe`;
  notify('loaded-twice', message, settings);
}

function makeCurrent(client: Client): void {
  // The cast holds: `setClient` refuses anything but our clients.
  const previous = getGlobalScope().getClient() as InnerClient | undefined;
  if (previous) log.info('init was called before: its client is closed, and the new one takes its place');
  if (previous?.getTransport() && !previous.isClosed && isWithoutDestination(client)) {
    const message =
      'init was called again, without a dsn: nothing is sent any more, because options of the first call are not kept. Call init once, or with all options';
    log.warn(message);
    notify('init-without-dsn', message, client.settings);
  }
  getGlobalScope().setClient(client);
  setDefaultClientLookup((scope) => (scope === getGlobalScope() ? undefined : getGlobalScope().getClient()));
  runDetached('closing the previous client', previous?.close(previous.settings.shutdownTimeout));
}

/** Whether nobody has named a destination; an empty DSN is named, to turn the SDK off. */
function isWithoutDestination({ settings }: Client): boolean {
  return settings.enabled && settings.dsn === undefined && settings.transport === undefined && !settings.spotlight;
}

function noteEarlyCaptures(settings: Settings): void {
  const shared = processWide();
  const count = shared.capturesWithoutClient;
  shared.capturesWithoutClient = 0;
  shared.observed = createObservedSetup(count, settings.debug);
  if (count === 0) return;
  const message = `captures before init: ${count}; they are lost. Call init first, or start with --import faultline/register`;
  log.warn(message);
  notify('captured-before-init', message, settings);
}

function readDsn({ dsn: value, quiet, enabled }: Settings): Dsn | undefined {
  if (value === undefined) return undefined;
  const dsn = parseDsn(value);
  if (!dsn) {
    const problem = findDsnProblem(value);
    const message = `dsn: invalid DSN: ${describe(hideSecret(value))}; nothing is sent, because ${problem}. Copy the DSN from the settings of your project`;
    log.error(message);
    // Many applications turn the SDK off with an empty DSN.
    notify('invalid-dsn', message, { enabled, quiet: quiet || value.trim() === '' });
  }
  return dsn;
}
