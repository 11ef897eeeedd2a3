import { guard } from '../internal/guard.js';
import { readProperty } from '../internal/read.js';
import { SDK_VERSION } from '../internal/version.js';
import type { Client } from '../model/contracts.js';
import type {
  OpenTelemetryFinding,
  OpenTelemetryStatus,
  OpenTelemetryVersions,
} from '../model/open-telemetry-status.js';
import { readApiGlobals } from '../tracing/api-globals.js';
import { type OpenTelemetryFacts, readFacts } from './facts.js';
import { DISABLED, NOTES } from './notes.js';
import { type Check, PROBLEMS } from './problems.js';

/** How long after `init` a host may take to set OpenTelemetry up before anything is said about it. */
const SETTLING_MILLIS = 1000;

/** Is in the messages about options. */
const SAID_BY_INIT = 'invalid-dsn';

/**
 * Tells who owns the globals of OpenTelemetry, and what is missing for which feature. Looks when it is called, at what
 * is registered then; changes nothing, starts no span, never throws.
 */
export function readOpenTelemetryStatus(client: Client, env: NodeJS.ProcessEnv = process.env): OpenTelemetryStatus {
  const facts = readFacts(client, env);
  const checks = client.settings.enabled ? [...PROBLEMS, ...NOTES] : [DISABLED];
  const applying = checks.filter(({ applies }) => applies(facts));
  const codes = new Set(applying.map(({ code }) => code));
  const told = applying.filter(({ followsFrom = [] }) => !followsFrom.some((code) => codes.has(code)));
  const { trace, context, propagation } = facts;
  return {
    trace,
    context,
    propagation,
    versions: versionsIn(facts),
    problems: told.filter((check) => PROBLEMS.includes(check)).map((check) => toFinding(check, facts)),
    notes: told.filter((check) => !PROBLEMS.includes(check)).map((check) => toFinding(check, facts)),
  };
}

function versionsIn({ api, sdk, trace }: OpenTelemetryFacts): OpenTelemetryVersions {
  return {
    faultline: SDK_VERSION,
    api: api.own ?? 'unknown',
    registeredApi: api.registered,
    otherApis: api.others,
    sdk: sdk.own,
    registeredSdk: trace.owner === 'none' ? undefined : (sdk.registered ?? 'unknown'),
  };
}

function toFinding(check: Check, facts: OpenTelemetryFacts): OpenTelemetryFinding {
  const { code, feature, message, remedy } = check;
  const say = (text: typeof message) => (typeof text === 'function' ? text(facts) : text);
  return { code, feature, message: say(message), remedy: say(remedy) };
}

/**
 * Says through OTel's `diag` what is wrong with the setup, in one line, once for each client. At once where `init` made
 * the setup. A host may as well make its own after `init`: that one is looked at a second later, or when the process is
 * out of work before, and not at all when the client was closed.
 */
export function reportOpenTelemetryProblems(client: Client): void {
  const report = () => guard('the look at the OpenTelemetry setup', () => warnOfProblems(client), undefined);
  if (!client.settings.skipOpenTelemetrySetup) {
    report();
    return;
  }
  const stop = () => {
    clearTimeout(timer);
    process.off('beforeExit', settle);
    forget();
  };
  const settle = () => {
    stop();
    report();
  };
  const timer = setTimeout(settle, SETTLING_MILLIS).unref();
  process.on('beforeExit', settle);
  const forget = client.on('close', stop);
}

/** The logger is asked directly: of what a copy of the API in another version is told, it would not hear. */
function warnOfProblems(client: Client): void {
  const { diag } = readApiGlobals();
  if (!isLogger(diag)) return;
  const problems = client.openTelemetryStatus().problems.filter(({ code }) => code !== SAID_BY_INIT);
  if (problems.length === 0) return;
  const told = problems.map(({ code, message, remedy }) => `${code}: ${message} Mended by: ${remedy}`);
  diag.warn('faultline/open-telemetry', told.join(' | '));
}

function isLogger(diag: unknown): diag is { warn(...messages: unknown[]): void } {
  return typeof readProperty(diag, 'warn') === 'function';
}
