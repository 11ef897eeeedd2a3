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
// @ts-expect-error it is a report, not a handle
status.trace = { owner: 'none', parts: [] };
// @ts-expect-error it is told at once
expectType<Promise<OpenTelemetryStatus>>(status);
// @ts-expect-error it takes nothing
init().openTelemetryStatus({ verbose: true });
// @ts-expect-error there is one for each global
expectType<OpenTelemetryStatus>({ problems: [] });

expectType<OpenTelemetryGlobal>(status.context);
expectType<OpenTelemetryGlobal>({ owner: 'application', className: undefined, parts: 'unknown' });
// @ts-expect-error names of parts, or that they are unknown
expectType<OpenTelemetryGlobal>({ owner: 'application', parts: 'none' });
// @ts-expect-error somebody owns it, or nobody
expectType<OpenTelemetryGlobal>({ parts: [] });

expectType<OpenTelemetryOwner>(status.propagation.owner);
// @ts-expect-error told by whose class it is
expectType<OpenTelemetryOwner>('opentelemetry');
// @ts-expect-error one of three words
expectType<OpenTelemetryOwner>(true);

expectType<OpenTelemetryVersions>(status.versions);
expectType<string | undefined>(status.versions.registeredSdk);
// @ts-expect-error those of Faultline's own are always told
expectType<OpenTelemetryVersions>({});
// @ts-expect-error as in package.json
expectType<Partial<OpenTelemetryVersions>>({ faultline: 1 });

expectType<OpenTelemetryFinding>({ code: 'no-dsn', feature: 'delivery', message: 'No dsn.', remedy: 'init({ dsn });' });
// @ts-expect-error one that can be mended
expectType<OpenTelemetryFinding>({ code: 'no-dsn', feature: 'delivery', message: 'No dsn.' });
// @ts-expect-error codes are names
expectType<Partial<OpenTelemetryFinding>>({ code: 12 });

expectType<AffectedFeature>('trace continuation');
// @ts-expect-error no such feature
expectType<AffectedFeature>('weather');
// @ts-expect-error a name
expectType<AffectedFeature>(undefined);
