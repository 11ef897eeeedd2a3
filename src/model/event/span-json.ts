/**
 * A valid OTel attribute value. The elements of a list have the same type.
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

/** Attributes of scopes by key, without the reserved keys. `undefined` counts as absent. */
export type RawAttributes = Record<string, SpanAttributeValue | undefined>;

/**
 * Attributes of a span by key: OTel's semantic conventions (`http.request.method`, `db.system.name`, …), the reserved
 * keys below, and any others. `undefined` counts as absent.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/
 */
export type SpanAttributes = RawAttributes & {
  /** What created the span. @default 'manual' */
  'svc.origin'?: string | undefined;
  /** Kind of work, for example `http.server`. */
  'svc.op'?: string | undefined;
  /** Source of the transaction name. */
  'svc.source'?: TransactionSource | undefined;
  /** The applied sample rate, 0 to 1; root spans only. */
  'svc.sample_rate'?: number | undefined;
};

/** Characters that are sent of a span's description. */
export const MAX_DESCRIPTION_LENGTH = 4096;
/** Characters of all span names of a transaction together; names beyond it are cut to the minimum. */
export const MAX_DESCRIPTIONS_LENGTH = 256 * 1024;
/** Characters that are sent of its op and of its status. */
export const MAX_OP_LENGTH = 200;

/** The reserved attribute keys. */
export const ATTRIBUTE = {
  /** Kind of work, for example `http.server`. */
  op: 'svc.op',
  /** What created the span: `manual` or `auto.…`. */
  origin: 'svc.origin',
  /** Source of the transaction name. */
  source: 'svc.source',
  /** The applied sample rate; root spans only. */
  sampleRate: 'svc.sample_rate',
  /** Name set by `updateSpanName`; removed before sending. */
  customName: 'svc.custom_span_name',
  /** True on a span that ended after its transaction was sent. */
  parentAlreadySent: 'svc.parent_span_already_sent',
  measurementUnit: 'svc.measurement_unit',
  measurementValue: 'svc.measurement_value',
} as const;

/** Source of a transaction's name; servers group by it. */
export type TransactionSource = 'custom' | 'url' | 'route' | 'view' | 'component' | 'task';

/** What created a span: `manual`, or `auto` with up to three dotted parts. */
export type SpanOrigin = 'manual' | 'auto' | `auto.${string}` | `manual.${string}`;

/** Numbers by name, with their units (`millisecond`, `byte`, `ratio`, `none`, …). */
export type Measurements = Record<string, { value: number; unit: string }>;

/** A reference from one span to another, as sent. */
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
 * A span as sent.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/event-payloads/span/
 */
export interface SpanJSON {
  /** All attributes. */
  data: SpanAttributes;
  /** The span's name, or an inferred one: a database statement, or method and path of a request. */
  description?: string | undefined;
  /** Kind of work, for example `db.query`. */
  op?: string | undefined;
  /** 16 hex characters; absent for the root of a trace. */
  parent_span_id?: string | undefined;
  /** 16 hex characters. */
  span_id: string;
  /** Unix seconds, fractions allowed. */
  start_timestamp: number;
  /** `ok`, or the kind of error: `not_found`, `internal_error`, … */
  status?: string | undefined;
  /** End time in Unix seconds; absent while the span runs. */
  timestamp?: number | undefined;
  /** 32 hex characters. */
  trace_id: string;
  /** What created the span. @default 'manual' */
  origin?: SpanOrigin | undefined;
  profile_id?: string | undefined;
  /** Milliseconds, excluding child spans. */
  exclusive_time?: number | undefined;
  measurements?: Measurements | undefined;
  /** Whether it is the root span of its transaction. */
  is_segment?: boolean | undefined;
  /** `span_id` of that root span. */
  segment_id?: string | undefined;
  links?: SpanLinkJSON[] | undefined;
}

/**
 * A point in time: a `Date`, Unix seconds, Unix milliseconds (a number of 9 999 999 999 or more), or `[seconds,
 * nanoseconds]`. An invalid value means now.
 */
export type SpanTimeInput = Date | number | [number, number];
