import { parseTraceParent } from '@opentelemetry/core';
import { append, entriesOf } from '../../internal/patching/originals.js';
import { isArray, readList } from '../../internal/values/read.js';
import { type DynamicSamplingContext, isSpanId, isTraceId } from '../../model/trace.js';
import { isSampled } from './trace.js';

export const SENTRY_TRACE = 'sentry-trace';
export const BAGGAGE = 'baggage';
export const TRACEPARENT = 'traceparent';

/** The caller's data in a trace header. */
interface TraceHeader {
  /** 32 hex characters. */
  readonly traceId: string;
  /** The caller's span, 16 hex characters. */
  readonly parentSpanId?: string;
  /** The caller's decision; `undefined` leaves it to this process. */
  readonly sampled?: boolean;
}

/** A header value as frameworks pass it: one value, or all values of a repeated header. */
export type HeaderValue = string | readonly string[] | Uint8Array | null | undefined;

/** Far above a valid trace header's length; bounds the patterns' run time. */
const MAX_TRACE_HEADER_CHARS = 256;
const SENTRY_TRACE_VALUE = /^([0-9a-f]{32})-?([0-9a-f]{16})?-?([01])?$/;

/** Prefix of our members in a `baggage` header. */
export const DSC_PREFIX = 'sentry-';
const PLAIN = /^[\w.-]*$/;
/** Limits of W3C baggage as OTel applies them. */
const MAX_BAGGAGE_CHARS = 8192;
const MAX_MEMBER_CHARS = 4096;
const MAX_MEMBERS = 180;

/**
 * Parses `<trace id>-<span id>[-<0|1>]`, the trace header of the protocol.
 *
 * @param header if there are several, the first is used
 * @returns `undefined` if it contains no trace; never throws
 */
export function parseSentryTrace(header: HeaderValue): TraceHeader | undefined {
  const [, traceId, spanId, flag] = SENTRY_TRACE_VALUE.exec(singleHeader(header)) ?? [];
  if (!isTraceId(traceId)) return undefined;
  return {
    traceId,
    parentSpanId: isSpanId(spanId) ? spanId : undefined,
    sampled: flag === undefined ? undefined : flag === '1',
  };
}

/** @param sampled `undefined` leaves the decision to the receiver */
export function formatSentryTrace(traceId: string, spanId: string, sampled?: boolean): string {
  if (sampled === undefined) return `${traceId}-${spanId}`;
  return `${traceId}-${spanId}-${sampled ? 1 : 0}`;
}

/**
 * Parses a W3C `traceparent`.
 *
 * @param header if there are several, the first is used
 * @returns `undefined` if it is malformed; an unset flag means not sampled; never throws
 * @see W3C Trace Context §3.2
 */
export function parseTraceparent(header: HeaderValue): TraceHeader | undefined {
  const parent = parseTraceParent(singleHeader(header));
  if (!parent) return undefined;
  return { traceId: parent.traceId, parentSpanId: parent.spanId, sampled: isSampled(parent) };
}

/** @param sampled `undefined` is written like `false`, because the header cannot express an open decision */
export function formatTraceparent(traceId: string, spanId: string, sampled?: boolean): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/**
 * Parses the dynamic sampling context from a `baggage` header.
 *
 * @param header several are joined; of members with the same name, the last wins
 * @returns names without their `sentry-` prefix; `undefined` if there is no such member; never throws. Malformed
 *   members, and those beyond the limits of a header, are omitted.
 */
export function parseBaggageDsc(header: HeaderValue): DynamicSamplingContext | undefined {
  let dsc: DynamicSamplingContext | undefined;
  const fits = createBudget();
  for (const member of membersOf(header)) {
    if (!member.startsWith(DSC_PREFIX)) continue;
    const equals = member.indexOf('=');
    const key = equals < 0 ? undefined : decode(member.slice(DSC_PREFIX.length, equals).trimEnd());
    // The part after a semicolon is the member's properties, not its value.
    const value = decode(member.slice(equals + 1, endOfValue(member, equals)).trim());
    if (!key || !value || !fits(member)) continue;
    dsc ??= {};
    dsc[key] = value;
  }
  return dsc;
}

/** Formats a dynamic sampling context as members of a `baggage` header; empty string if it has none. */
export function formatDsc(dsc: DynamicSamplingContext): string {
  return dscMembers(dsc).filter(createBudget()).join(',');
}

/**
 * Adds our members to a `baggage` header, as far as they are within its limits: members of other vendors stay, previous
 * ones of the protocol are removed.
 *
 * @returns the header to send; `undefined` if it would be empty; never throws
 */
export function mergeBaggage(existing: HeaderValue, dsc: DynamicSamplingContext): string | undefined {
  if (!existing) return formatDsc(dsc) || undefined;
  const others = membersOf(existing).filter((member) => member !== '' && !member.startsWith(DSC_PREFIX));
  const fits = createBudget();
  const isFull = !others.every(fits);
  return [...others, ...(isFull ? [] : dscMembers(dsc).filter(fits))].join(',') || undefined;
}

function singleHeader(header: HeaderValue): string {
  const single: unknown = isArray(header) ? readList(header)[0] : header;
  return typeof single === 'string' && single.length <= MAX_TRACE_HEADER_CHARS ? single.trim() : '';
}

function membersOf(header: HeaderValue): string[] {
  const single: unknown = isArray(header)
    ? readList(header)
        .filter((line) => typeof line === 'string')
        .join(',')
    : header;
  return typeof single === 'string' ? single.split(',').map((member) => member.trim()) : [];
}

function endOfValue(member: string, equals: number): number | undefined {
  const semicolon = member.indexOf(';', equals);
  return semicolon < 0 ? undefined : semicolon;
}

function dscMembers(dsc: DynamicSamplingContext): string[] {
  const result: string[] = [];
  for (const [key, value] of entriesOf(dsc)) {
    if (typeof value !== 'string' || value === '') continue;
    const member = encodeMember(key, value);
    if (member !== undefined) append(result, member);
  }
  return result;
}

/** @returns `undefined` for a lone surrogate, which cannot be encoded */
function encodeMember(key: string, value: string): string | undefined {
  try {
    return `${DSC_PREFIX}${encode(key)}=${encode(value)}`;
  } catch {
    return undefined;
  }
}

/** Most keys and values need no encoding, and checking costs a fraction of encoding. */
function encode(value: string): string {
  return PLAIN.test(value) ? value : encodeURIComponent(value);
}

function decode(value: string): string | undefined {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** Counts members against a header's limits. @returns whether one is within them */
function createBudget(): (member: string) => boolean {
  let chars = -1;
  let count = 0;
  return (member) => {
    const next = chars + 1 + member.length;
    if (member === '' || member.length > MAX_MEMBER_CHARS || count >= MAX_MEMBERS || next > MAX_BAGGAGE_CHARS)
      return false;
    chars = next;
    count++;
    return true;
  };
}
