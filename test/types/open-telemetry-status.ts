import {
  type AffectedFeature,
  init,
  type OpenTelemetryFinding,
  type OpenTelemetryGlobal,
  type OpenTelemetryOwner,
  type OpenTelemetryStatus,
  type OpenTelemetryVersions,
} from 'faultline';
import { expectType } from './expect-type.js';

const status = init().openTelemetryStatus();

expectType<OpenTelemetryStatus>(status);
expectType<readonly OpenTelemetryFinding[]>(status.problems);
expectType<readonly OpenTelemetryFinding[]>(status.notes);
// @ts-expect-error a status is read-only
status.trace = { owner: 'none', parts: [] };
// @ts-expect-error the status is no promise
expectType<Promise<OpenTelemetryStatus>>(status);
// @ts-expect-error openTelemetryStatus takes no arguments
init().openTelemetryStatus({ verbose: true });
// @ts-expect-error the status has more members, one for each global of OpenTelemetry
expectType<OpenTelemetryStatus>({ problems: [] });

expectType<OpenTelemetryGlobal>(status.context);
expectType<OpenTelemetryGlobal>({ owner: 'application', className: undefined, parts: 'unknown' });
// @ts-expect-error parts are a list of names, or 'unknown'
expectType<OpenTelemetryGlobal>({ owner: 'application', parts: 'none' });
// @ts-expect-error `owner` is required
expectType<OpenTelemetryGlobal>({ parts: [] });

expectType<OpenTelemetryOwner>(status.propagation.owner);
// @ts-expect-error 'opentelemetry' is not one of the owners
expectType<OpenTelemetryOwner>('opentelemetry');
// @ts-expect-error an owner is a string
expectType<OpenTelemetryOwner>(true);

expectType<OpenTelemetryVersions>(status.versions);
expectType<string | undefined>(status.versions.registeredSdk);
// @ts-expect-error the version of Faultline is required
expectType<OpenTelemetryVersions>({});
// @ts-expect-error a version is a string
expectType<Partial<OpenTelemetryVersions>>({ faultline: 1 });

expectType<OpenTelemetryFinding>({ code: 'no-dsn', feature: 'delivery', message: 'No dsn.', remedy: 'init({ dsn });' });
// @ts-expect-error a finding has a remedy
expectType<OpenTelemetryFinding>({ code: 'no-dsn', feature: 'delivery', message: 'No dsn.' });
// @ts-expect-error a code is a string
expectType<Partial<OpenTelemetryFinding>>({ code: 12 });

expectType<AffectedFeature>('trace continuation');
// @ts-expect-error 'weather' is not one of the features
expectType<AffectedFeature>('weather');
// @ts-expect-error a feature is a string
expectType<AffectedFeature>(undefined);
