import { newerOf } from '../../internal/node/package-version.js';
import type { OpenTelemetryFacts } from '../facts.js';
import { BESIDE_SDK, type Check, nameOf, OWN_SDK, WRONG_API } from './check.js';

const OLDEST_API = '1.9.0';

/** What is wrong with the copies of OpenTelemetry's API, and with the tracer provider that is registered with it. */
export const REGISTRATION_PROBLEMS: readonly Check[] = [
  {
    code: 'api-too-old',
    feature: 'everything',
    applies: ({ api }) => api.own !== undefined && newerOf(api.own, OLDEST_API) !== api.own,
    message: ({ api }) => `Faultline needs @opentelemetry/api ${OLDEST_API} or newer, and finds ${api.own}.`,
    remedy: `npm install @opentelemetry/api@^${OLDEST_API}`,
  },
  {
    code: 'api-version-conflict',
    feature: 'everything',
    applies: hasVersionConflict,
    message: ({ api }) =>
      `@opentelemetry/api is in this process as ${versionsOf(api).join(' and ')}; ` +
      `${api.registered} was first, and the API refuses what another version registers or asks for.`,
    remedy: ({ api }) => `npm install @opentelemetry/api@${versionsOf(api).reduce(newerOf)} && npm dedupe`,
  },
  {
    code: 'api-of-another-major',
    feature: 'everything',
    applies: ({ trace, api }) => trace.owner === 'none' && api.otherMajors.length > 0,
    message: ({ api }) =>
      `A tracer provider is registered with @opentelemetry/api ${api.otherMajors.join(', ')}.x; Faultline uses 1.x.`,
    remedy: `npm install @opentelemetry/api@^${OLDEST_API} && npm dedupe`,
  },
  {
    code: 'setup-gone',
    feature: 'everything',
    followsFrom: WRONG_API,
    applies: ({ trace, isOwnSetup }) => isOwnSetup && trace.owner === 'none',
    message: 'The tracer provider of init is not registered: it was refused, or trace.disable() has taken it away.',
    remedy: 'trace.disable(); init(options);',
  },
  {
    code: 'setup-not-skipped',
    feature: 'transactions',
    applies: ({ trace, isOwnSetup }) => isOwnSetup && trace.owner === 'application',
    message: ({ trace }) =>
      `OpenTelemetry was set up before init, with ${nameOf(trace)}; init has registered nothing beside it.`,
    remedy: 'init({ ...options, skipOpenTelemetrySetup: true });',
  },
  {
    code: 'provider-refused',
    feature: 'existing exporters',
    applies: ({ trace, observed }) => trace.owner === 'faultline' && observed.refusedProvider !== undefined,
    message: ({ observed }) =>
      `${observed.refusedProvider} was not registered, because init had registered a tracer provider before: no span reaches your exporters.`,
    remedy: `init({ ...options, skipOpenTelemetrySetup: true }); ${BESIDE_SDK}`,
  },
  {
    code: 'otel-sdk-disabled',
    feature: 'transactions',
    applies: ({ trace, isOwnSetup }) =>
      !isOwnSetup && trace.owner === 'none' && process.env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true',
    message: 'OTEL_SDK_DISABLED is true, with which NodeSDK registers nothing.',
    remedy: 'delete process.env.OTEL_SDK_DISABLED;',
  },
  {
    code: 'no-tracer-provider',
    feature: 'transactions',
    followsFrom: [...WRONG_API, 'otel-sdk-disabled'],
    applies: ({ trace, isOwnSetup, isTracing }) => !isOwnSetup && isTracing && trace.owner === 'none',
    message: 'skipOpenTelemetrySetup is set, and no tracer provider is registered, so that no transaction is sent.',
    remedy: OWN_SDK,
  },
];

/** The first copy of the API wins: newer copies do not see its globals, and copies of other versions cannot register. */
function hasVersionConflict({ api, trace, isOwnSetup, isTracing }: OpenTelemetryFacts): boolean {
  if (!api.seesRegistered) return true;
  if (api.registered === undefined || trace.owner !== 'none') return false;
  if (isOwnSetup) return api.own !== undefined && api.own !== api.registered;
  return isTracing && api.others.some((version) => version !== api.registered);
}

function versionsOf({ registered = 'unknown', own = 'unknown', others }: OpenTelemetryFacts['api']): string[] {
  return [...new Set([registered, own, ...others])];
}
