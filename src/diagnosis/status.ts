import { SDK_VERSION } from '../internal/version.js';
import type { Client } from '../model/contracts.js';
import type {
  OpenTelemetryFinding,
  OpenTelemetryStatus,
  OpenTelemetryVersions,
} from '../model/open-telemetry-status.js';
import { type OpenTelemetryFacts, readFacts } from './facts.js';
import { DISABLED, NOTES } from './notes.js';
import type { Check } from './problems/check.js';
import { PROBLEMS } from './problems/problems.js';

/**
 * Reads who owns the globals of OpenTelemetry, and which features of the SDK lack a part. The result describes the moment
 * of the call. Changes nothing, starts no span, never throws.
 */
export function readOpenTelemetryStatus(client: Client, env: NodeJS.ProcessEnv = process.env): OpenTelemetryStatus {
  const facts = readFacts(client, env);
  const checks = client.settings.enabled ? [...PROBLEMS, ...NOTES] : [DISABLED];
  const applying = checks.filter(({ applies }) => applies(facts));
  const codes = new Set(applying.map(({ code }) => code));
  const findings = applying.filter(({ followsFrom = [] }) => !followsFrom.some((code) => codes.has(code)));
  const { trace, context, propagation } = facts;
  return {
    trace,
    context,
    propagation,
    versions: versionsIn(facts),
    problems: findings.filter((check) => PROBLEMS.includes(check)).map((check) => toFinding(check, facts)),
    notes: findings.filter((check) => !PROBLEMS.includes(check)).map((check) => toFinding(check, facts)),
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
