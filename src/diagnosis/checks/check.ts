import { isPartOfKind } from '../../context/parts.js';
import type { OpenTelemetryFinding, OpenTelemetryGlobal } from '../../model/open-telemetry-status.js';
import type { OpenTelemetryFacts } from '../facts.js';
import { hasParts, type ProviderParts } from '../provider-parts.js';

type Message = string | ((facts: OpenTelemetryFacts) => string);

/** One possible finding about a setup, and its remedy. */
export interface Check {
  readonly code: OpenTelemetryFinding['code'];
  readonly feature: OpenTelemetryFinding['feature'];
  /** Codes of problems that cause this one: when one of them applies, this one is not reported. */
  readonly followsFrom?: readonly string[];
  /** True only when it is certain: parts that cannot be read do not count as a problem. */
  readonly applies: (facts: OpenTelemetryFacts) => boolean;
  readonly message: Message;
  /** `options`, `sampler`, `spanProcessors`, `propagator` and `exporter` stand for the application's own. */
  readonly remedy: Message;
}

/** Remedies of more than one problem. */
export const OWN_SDK = 'new NodeSDK({ ...openTelemetry() }).start();';
export const BESIDE_SDK = 'new NodeSDK({ ...openTelemetry({ sampler, spanProcessors }) }).start();';

/** Codes of problems that others follow from. */
export const WRONG_API = ['api-too-old', 'api-version-conflict', 'api-of-another-major'];
export const NOTHING_REGISTERED = [...WRONG_API, 'setup-gone', 'otel-sdk-disabled', 'no-tracer-provider'];

export function hasSampler(provider: ProviderParts | undefined): boolean {
  return isPartOfKind(provider?.sampler, 'FaultlineSampler');
}

/** Whether spans of the application's setup reach our parts, and no other exporter. */
export function exportsAlone({ trace, provider }: OpenTelemetryFacts): boolean {
  return trace.owner === 'application' && hasParts(provider) && !provider!.hasExistingProcessors;
}

export function nameOf({ className }: OpenTelemetryGlobal): string {
  return className ?? 'an object without a class';
}
