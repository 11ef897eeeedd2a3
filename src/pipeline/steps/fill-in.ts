import { nowSeconds } from '../../internal/clock.js';
import { copyDefined } from '../../internal/values/copy-own.js';
import { readList, readString } from '../../internal/values/read.js';
import { SDK_NAME, SDK_VERSION } from '../../internal/version.js';
import type { Integration } from '../../model/contracts.js';
import type { Event, SdkInfo } from '../../model/event/event.js';
import type { Exception, StackFrame, Stacktrace } from '../../model/event/exception.js';
import { share } from '../../model/event/shared-parts.js';
import type { EventHint } from '../../model/hint.js';
import type { Settings } from '../../model/options.js';
import { maskCredentials, maskText } from '../../scrubbing/credentials.js';
import { credentialNames, type SensitiveNames } from '../../scrubbing/sensitive-names.js';
import { filterUrl } from '../../scrubbing/urls.js';
import { applyMechanism } from '../create-event.js';
import { sanitizePartialMechanism } from '../sanitize/event-schema.js';
import type { Step } from '../step.js';

type OwnSdkInfo = SdkInfo & Required<Omit<SdkInfo, 'settings'>>;

/** Servers reject transactions without a name. */
export const UNNAMED = '<unlabeled transaction>';

/** Fills in the members that every event has: id, time, release, SDK and mechanism. Existing members stay. */
export function createFillIn(settings: Settings, integrations: readonly Integration[]): Step {
  const { environment, release, dist, serverName, sendDefaultPii } = settings;
  const names = credentialNames(settings.scrubbing);
  const sdk: OwnSdkInfo = share({
    name: SDK_NAME,
    version: SDK_VERSION,
    integrations: integrations.flatMap((integration) => readString(integration, 'name') ?? []),
    packages: [{ name: 'npm:faultline', version: SDK_VERSION }],
    ...(sendDefaultPii && { settings: { infer_ip: 'auto' as const } }),
  });
  return (event, { hint }) => {
    fillIn(event, hint);
    event.environment ??= environment;
    event.release ??= release;
    event.dist ??= dist;
    event.server_name ??= serverName;
    if (event.exception?.values) {
      applyMechanism(event, sanitizePartialMechanism(hint.mechanism) as EventHint['mechanism']);
      event.exception = { ...event.exception, values: event.exception.values.map((one) => maskException(one, names)) };
    }
    event.sdk = describeSdk(sdk, event.sdk, hint.integrations);
    return event;
  };
}

/** Fills in the members that servers require. */
export function fillIn(event: Event, hint: EventHint): void {
  event.event_id ||= hint.event_id;
  event.timestamp ??= nowSeconds();
  event.platform ??= 'node';
  if (event.type !== 'transaction') return;
  event.transaction ||= UNNAMED;
  event.start_timestamp = Math.min(event.start_timestamp ?? event.timestamp, event.timestamp);
}

function describeSdk(defaults: OwnSdkInfo, ofEvent: SdkInfo | undefined, used: readonly string[] | undefined): SdkInfo {
  if (!ofEvent && !used) return defaults;
  const integrations = used
    ? [...defaults.integrations, ...readList(used).filter((one) => typeof one === 'string')]
    : defaults.integrations;
  if (!ofEvent) return { ...defaults, integrations };
  return {
    ...defaults,
    ...copyDefined(ofEvent),
    integrations: [...(ofEvent.integrations ?? []), ...integrations],
    packages: [...(ofEvent.packages ?? []), ...defaults.packages],
  };
}

/** Messages and names of errors quote their input, for example a connection string with its password. */
function maskException(exception: Exception, names: SensitiveNames): Exception {
  const type = exception.type && maskText(exception.type, names);
  const value = exception.value && maskText(exception.value, names);
  const stacktrace = exception.stacktrace && maskFrames(exception.stacktrace, names);
  const isHarmless = type === exception.type && value === exception.value && stacktrace === exception.stacktrace;
  return isHarmless ? exception : { ...exception, type, value, stacktrace };
}

/** As long as a credential, and with digits, as hardly any name of a function. */
const LIKE_CREDENTIAL = /^(?=.*\d).{20}/;

function mayHoldSecret({ filename, function: name }: StackFrame): boolean {
  return (filename !== undefined && /[?@]/.test(filename)) || (name !== undefined && LIKE_CREDENTIAL.test(name));
}

/** Code that was loaded from a URL has the whole URL as its file name. A function may be called like the key that it is for. */
function maskFrames(stacktrace: Stacktrace, names: SensitiveNames): Stacktrace {
  const { frames = [] } = stacktrace;
  if (!frames.some(mayHoldSecret)) return stacktrace;
  const masked = frames.map((frame) => {
    const filename = frame.filename && filterUrl(frame.filename, names);
    const module = frame.module && filterUrl(frame.module, names);
    const name = frame.function && maskCredentials(frame.function, names);
    const isHarmless = filename === frame.filename && module === frame.module && name === frame.function;
    return isHarmless ? frame : { ...frame, filename, module, function: name };
  });
  return masked.some((frame, index) => frame !== frames[index]) ? { ...stacktrace, frames: masked } : stacktrace;
}
