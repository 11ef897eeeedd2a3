/**
 * What OTel accepts as the value of an attribute. The elements of a list are all of one kind.
 *
 * @see https://opentelemetry.io/docs/specs/otel/common/#attribute
 */
export type SpanAttributeValue =
  | string
  | number
  | boolean
  | Array<null | undefined | string>
  | Array<null | undefined | number>
  | Array<null | undefined | boolean>;

/** Attributes by key, without reserved ones: of scopes. `undefined` counts as absent. */
export type RawAttributes = Record<string, SpanAttributeValue | undefined>;

/**
 * Attributes of a span by key: those of OTel's semantic conventions (`http.request.method`, `db.system.name`, …), the
 * reserved ones named here, and any others. `undefined` counts as absent.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/
 */
export type SpanAttributes = RawAttributes & {
  /** Who made the span. @default 'manual' */
  'svc.origin'?: string | undefined;
  /** Kind of work, for example `http.server`. */
  'svc.op'?: string | undefined;
  /** Where the name of the transaction came from. */
  'svc.source'?: TransactionSource | undefined;
  /** The rate that decided, 0 to 1; on root spans only. */
  'svc.sample_rate'?: number | undefined;
};

/** The reserved attribute keys. */
export const ATTRIBUTE = {
  /** Kind of work, for example `http.server`. */
  op: 'svc.op',
  /** Who made the span: `manual` or `auto.…`. */
  origin: 'svc.origin',
  /** Where the transaction name came from. */
  source: 'svc.source',
  /** The rate that decided; root spans only. */
  sampleRate: 'svc.sample_rate',
  /** Name given through `updateSpanName`; removed before sending. */
  customName: 'svc.custom_span_name',
  /** True on a span whose transaction had left before it ended. */
  parentAlreadySent: 'svc.parent_span_already_sent',
  measurementUnit: 'svc.measurement_unit',
  measurementValue: 'svc.measurement_value',
} as const;

/** Where a transaction's name came from; servers group by it. */
export type TransactionSource = 'custom' | 'url' | 'route' | 'view' | 'component' | 'task';

/** Who made a span: `manual`, or `auto` with up to three dotted parts. */
export type SpanOrigin = 'manual' | 'auto' | `auto.${string}` | `manual.${string}`;

/** Numbers by name, with their units (`millisecond`, `byte`, `ratio`, `none`, …). */
export type Measurements = Record<string, { value: number; unit: string }>;

/** A reference from one span to another, as it is sent. */
export interface SpanLinkJSON {
  /** 32 hex characters. */
  trace_id: string;
  /** 16 hex characters. */
  span_id: string;
  /** Whether the other trace is sampled. */
  sampled?: boolean | undefined;
  attributes?: SpanAttributes | undefined;
}

/**
 * A span as it is sent.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/event-payloads/span/
 */
export interface SpanJSON {
  /** All attributes. */
  data: SpanAttributes;
  /** The span's name, or what was inferred in its place: a statement to a database, method and path of a request. */
  description?: string | undefined;
  /** Kind of work, for example `db.query`. */
  op?: string | undefined;
  /** 16 hex characters; absent for the root of a trace. */
  parent_span_id?: string | undefined;
  /** 16 hex characters. */
  span_id: string;
  /** Unix seconds, fractions allowed. */
  start_timestamp: number;
  /** `ok`, or what went wrong: `not_found`, `internal_error`, … */
  status?: string | undefined;
  /** When it ended, in Unix seconds; absent while it runs. */
  timestamp?: number | undefined;
  /** 32 hex characters. */
  trace_id: string;
  /** Who made it. @default 'manual' */
  origin?: SpanOrigin | undefined;
  profile_id?: string | undefined;
  /** Milliseconds without those of its children. */
  exclusive_time?: number | undefined;
  measurements?: Measurements | undefined;
  /** Whether it is the root span of its transaction. */
  is_segment?: boolean | undefined;
  /** `span_id` of that root span. */
  segment_id?: string | undefined;
  links?: SpanLinkJSON[] | undefined;
}

/**
 * What the SDK accepts as a moment: a `Date`, Unix seconds, Unix milliseconds (a number of 9 999 999 999 or more), or
 * `[seconds, nanoseconds]`. What is no moment counts as now.
 */
export type SpanTimeInput = Date | number | [number, number];
