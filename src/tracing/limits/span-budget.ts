import type { Attributes } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { bytesInJson } from '../../internal/values/json.js';
import { limitLength, MAX_STRING_LENGTH } from '../../internal/values/strings.js';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_SPANS = 50_000;

/** Heap size of one span of OTel's SDK, without its attributes, events and links. */
const SPAN_BYTES = 1000;
/** How much less a span takes in JSON; its attributes take about as much there as in memory. */
const MEMORY_OVERHEAD = 750;
const ENTRY_BYTES = 48;
const NUMBER_BYTES = 8;
/** In a list in JSON: of a number, and around a string. */
const DIGITS_BYTES = 20;
const QUOTES_BYTES = 3;
const EVENT_BYTES = 250;
/** How many elements of a list are counted. */
const MAX_ELEMENTS = 10_000;

/** Limits the spans of one client that wait: for the end of their root, or for spans from other batches. */
export class SpanBudget {
  #spans = 0;
  #bytes = 0;

  get isExceeded(): boolean {
    return this.#bytes > MAX_BYTES || this.#spans > MAX_SPANS;
  }

  /** @param bytes of one span */
  take(bytes: number): void {
    this.#spans += 1;
    this.#bytes += bytes;
  }

  release(spans: number, bytes: number): void {
    this.#spans -= spans;
    this.#bytes -= bytes;
  }
}

/**
 * Estimates how much memory a finished span takes.
 *
 * @returns bytes; the minimum for a span that cannot be read
 */
export function estimateSpanBytes(span: ReadableSpan): number {
  return sizeOf(span, sizeInMemory);
}

/**
 * Estimates how many characters of JSON a finished span is. Longer strings are cut when they are sent.
 *
 * @param bytes what {@link estimateSpanBytes} returned
 */
export function estimateSpanLength(span: ReadableSpan, bytes: number): number {
  return (bytes > MAX_STRING_LENGTH ? sizeOf(span, lengthInJson) : bytes) - MEMORY_OVERHEAD;
}

/** Like {@link estimateSpanLength}, in bytes. Takes several times as long. */
export function measureSpanLength(span: ReadableSpan): number {
  return sizeOf(span, sizeInJson) - MEMORY_OVERHEAD;
}

/** Measures a name, an attribute or an element of one. */
type Measure = (value: unknown) => number;

function sizeOf(span: ReadableSpan, measure: Measure): number {
  try {
    const { name, attributes, events, links } = span;
    let size = SPAN_BYTES + measure(name) + sizeOfAttributes(attributes, measure);
    for (const event of events) size += EVENT_BYTES + sizeOfAttributes(event.attributes, measure);
    for (const link of links) size += EVENT_BYTES + sizeOfAttributes(link.attributes, measure);
    return size;
  } catch {
    return SPAN_BYTES;
  }
}

function sizeOfAttributes(attributes: Attributes | undefined, measure: Measure): number {
  let size = 0;
  for (const key in attributes) {
    const value = attributes[key];
    size += ENTRY_BYTES;
    if (typeof value === 'string') size += measure(value);
    else if (Array.isArray(value)) for (const one of value.slice(0, MAX_ELEMENTS)) size += measure(one);
  }
  return size;
}

function sizeInMemory(value: unknown): number {
  return typeof value === 'string' ? value.length : NUMBER_BYTES;
}

function lengthInJson(value: unknown): number {
  return Math.min(sizeInMemory(value), MAX_STRING_LENGTH);
}

/** Bytes beyond the characters count twice, because a name may be written twice. */
function sizeInJson(value: unknown): number {
  if (typeof value !== 'string') return DIGITS_BYTES;
  const text = limitLength(value, MAX_STRING_LENGTH);
  return 2 * bytesInJson(text) - text.length + QUOTES_BYTES;
}
