import { SpanKind } from '@opentelemetry/api';
import { RecentMap } from '../../internal/collections/recent-map.js';
import { readString } from '../../internal/values/read.js';
import type { SpanOrigin } from '../../model/event/span-json.js';

/** The members that describe a span; spans of OTel's SDK and the arguments of a sampler have them. */
export interface InstrumentedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Absent while a sampler decides. */
  readonly instrumentationScope?: { readonly name: string } | undefined;
  /** What spans of OTel's SDK 1.x have instead. */
  readonly instrumentationLibrary?: { readonly name: string } | undefined;
}

type Instrumented = Pick<InstrumentedSpan, 'instrumentationScope' | 'instrumentationLibrary'>;

/** What the spans of an instrumentation have in common. */
interface Instrumentation {
  readonly origin: SpanOrigin;
  /** @returns `undefined` leaves the op to the attributes */
  readonly opOf?: (span: InstrumentedSpan) => string | undefined;
}

/** The op is the layer, for example `middleware.express`. */
function framework(name: string): Instrumentation {
  return {
    origin: `auto.http.otel.${name}`,
    opOf: ({ attributes }) => {
      const layer = readString(attributes, `${name}.type`)?.replaceAll('-', '_');
      return layer ? `${layer === 'route_hook' ? 'hook' : layer}.${name}` : undefined;
    },
  };
}

function database(name: string): Instrumentation {
  return { origin: `auto.db.otel.${name}`, opOf: () => 'db' };
}

/** The op is the step, for example `graphql.parse`; the executed operation is named like `query Users`. */
const GRAPHQL: Instrumentation = {
  origin: 'auto.graphql.otel.graphql',
  opOf: ({ name }) => /^graphql\.\w+/.exec(name)?.[0] ?? 'graphql.execute',
};

/** By the end of the package's name. The names are those by which other SDKs of the protocol report the same spans. */
const BY_PACKAGE = new Map<string, Instrumentation>([
  ['http', { origin: 'auto.http.otel.http' }],
  ['undici', { origin: 'auto.http.otel.node_fetch' }],
  ...['express', 'koa', 'hapi', 'connect', 'fastify', 'hono', 'router', 'restify'].map(
    (name) => [name, framework(name)] as const,
  ),
  ['nestjs-core', framework('nestjs')],
  ['graphql', GRAPHQL],
  ['pg', database('postgres')],
  ['mongodb', database('mongo')],
  ['ioredis', database('redis')],
  ['redis-4', database('redis')],
  ['cassandra-driver', database('cassandra')],
  ...['redis', 'mongoose', 'mysql', 'mysql2', 'knex', 'tedious', 'memcached', 'oracledb', 'prisma', 'typeorm'].map(
    (name) => [name, database(name)] as const,
  ),
  ['generic-pool', { origin: 'auto.db.otel.generic_pool' }],
  ['dataloader', { origin: 'auto.db.otel.dataloader', opOf: () => 'cache.get' }],
  ['grpc', { origin: 'auto.rpc.otel.grpc' }],
  ['amqplib', { origin: 'auto.message.otel.amqplib' }],
  ['kafkajs', { origin: 'auto.message.otel.kafkajs' }],
  ['fs', { origin: 'auto.file.otel.fs', opOf: () => 'file' }],
]);

/** `@opentelemetry/instrumentation-pg`, `opentelemetry-instrumentation-x`, `@fastify/otel`, `@prisma/instrumentation`. */
const PACKAGE = /(?:^|[/-])instrumentation-([\w.-]+)$|^@([\w-]+)\/(?:otel|instrumentation)$/;

const MIN_SCOPES = 500;
const NONE: Partial<Instrumentation> = {};
/** By name of the instrumentation scope. Applications may create any number of tracers. */
const known = new RecentMap<string, Partial<Instrumentation>>(MIN_SCOPES);

/** The origin of a span created by an instrumentation; `undefined` for spans of the application's own tracers. */
export function originOfInstrumentation(span: Instrumented): SpanOrigin | undefined {
  return instrumentationOf(span).origin;
}

/**
 * Whether an instrumentation runs handlers of the application, so that an error it records has left a handler. Clients do
 * not: the application may handle their errors.
 */
export function runsHandlers(span: Instrumented, kind?: SpanKind): boolean {
  const { origin = '' } = instrumentationOf(span);
  if (kind === SpanKind.CLIENT || kind === SpanKind.PRODUCER || origin.endsWith('.node_fetch')) return false;
  return /^auto\.(http|graphql|rpc|message)\./.test(origin);
}

/** The op that follows from the instrumentation and its layer. Requests that a server handles keep `http.server`. */
export function opOfInstrumentation(span: InstrumentedSpan): string | undefined {
  return span.kind === SpanKind.SERVER ? undefined : instrumentationOf(span).opOf?.(span);
}

/** The tracer that made a span. */
export function scopeOf({
  instrumentationScope,
  instrumentationLibrary,
}: Instrumented): Instrumented['instrumentationScope'] {
  return instrumentationScope ?? instrumentationLibrary;
}

function instrumentationOf(span: Instrumented): Partial<Instrumentation> {
  const scopeName = scopeOf(span)?.name;
  if (typeof scopeName !== 'string') return NONE;
  const cached = known.get(scopeName);
  if (cached) return cached;
  const [, first, second] = PACKAGE.exec(scopeName) ?? [];
  const name = first ?? second;
  const found = name === undefined ? NONE : (BY_PACKAGE.get(name) ?? other(name));
  known.set(scopeName, found);
  return found;
}

/** Servers take letters, digits and underscores only. */
function other(name: string): Instrumentation {
  return { origin: `auto.otel.${name.replaceAll(/\W/g, '_')}` };
}
