/** What OTel accepts as an attribute value. */
export type SpanAttributeValue =
  | string
  | number
  | boolean
  | Array<null | undefined | string>
  | Array<null | undefined | number>
  | Array<null | undefined | boolean>;

/** Attributes of a span; the `svc.*` keys are reserved, see {@link ATTRIBUTE}. */
export type SpanAttributes = Partial<{
  'svc.origin': string;
  'svc.op': string;
  'svc.source': TransactionSource;
  'svc.sample_rate': number;
}> &
  Record<string, SpanAttributeValue | undefined>;

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

/** A named number with its unit (`millisecond`, `byte`, `ratio`, `none`, …). */
export type Measurements = Record<string, { value: number; unit: string }>;

/** A reference from one span to another. */
export interface SpanLinkJSON {
  trace_id: string;
  span_id: string;
  sampled?: boolean;
  attributes?: SpanAttributes;
}

/** A finished (or, without `timestamp`, running) span as it is sent. Times in Unix seconds. */
export interface SpanJSON {
  data: SpanAttributes;
  description?: string;
  op?: string;
  parent_span_id?: string;
  span_id: string;
  start_timestamp: number;
  status?: string;
  timestamp?: number;
  trace_id: string;
  origin?: SpanOrigin;
  profile_id?: string;
  exclusive_time?: number;
  measurements?: Measurements;
  is_segment?: boolean;
  segment_id?: string;
  links?: SpanLinkJSON[];
}

/** What the SDK accepts as a moment: a `Date`, Unix seconds, Unix milliseconds, or `[seconds, nanoseconds]`; now, when absent. */
export type SpanTimeInput = Date | number | [number, number];
