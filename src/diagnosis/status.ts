import { SDK_VERSION } from '../internal/version.js';
import type { Client } from '../model/contracts.js';
import type {
  OpenTelemetryFinding,
  OpenTelemetryStatus,
  OpenTelemetryVersions,
} from '../model/open-telemetry-status.js';
import { APPLICATION_PROBLEMS } from './checks/application.js';
import type { Check } from './checks/check.js';
import { INIT_PROBLEMS } from './checks/init.js';
import { DISABLED, NOTES } from './checks/notes.js';
import { PART_PROBLEMS } from './checks/parts.js';
import { REGISTRATION_PROBLEMS } from './checks/registration.js';
import { type OpenTelemetryFacts, readFacts } from './facts.js';

/** All problems, in the order in which they are reported: causes stand before their consequences. */
export const PROBLEMS: readonly Check[] = [
  ...INIT_PROBLEMS,
  ...REGISTRATION_PROBLEMS,
  ...APPLICATION_PROBLEMS,
  ...PART_PROBLEMS,
];

/**
 * Reads who owns the globals of OpenTelemetry, and which features of the SDK lack a part. The result describes the moment
 * of the call. Changes nothing, starts no span, never throws.
 */
export function readOpenTelemetryStatus(client: Client): OpenTelemetryStatus {
  const facts = readFacts(client);
  const { enabled } = client.settings;
  const findIn = (checks: readonly Check[]) => checks.filter(({ applies }) => applies(facts));
  const problems = findIn(enabled ? PROBLEMS : []);
  const notes = findIn(enabled ? NOTES : [DISABLED]);
  const codes = new Set([...problems, ...notes].map(({ code }) => code));
  const toFindings = (checks: readonly Check[]) =>
    checks
      .filter(({ followsFrom = [] }) => !followsFrom.some((code) => codes.has(code)))
      .map((check) => toFinding(check, facts));
  const { trace, context, propagation } = facts;
  return {
    trace,
    context,
    propagation,
    versions: versionsIn(facts),
    problems: toFindings(problems),
    notes: toFindings(notes),
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
  const format = (part: typeof message) => (typeof part === 'function' ? part(facts) : part);
  return { code, feature, message: format(message), remedy: format(remedy) };
}
