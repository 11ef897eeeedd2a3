import type { Attributes } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { MAX_STRING_LENGTH } from '../../internal/values/strings.js';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_SPANS = 50_000;

/** Heap size of one span of OTel's SDK, without its attributes, events and links. */
const SPAN_BYTES = 1000;
/** How much less a span takes in JSON; its attributes take about as much there as in memory. */
const MEMORY_OVERHEAD = 750;
const ENTRY_BYTES = 48;
const NUMBER_BYTES = 8;
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
  return sizeOf(span, Number.POSITIVE_INFINITY);
}

/**
 * Estimates how many characters of JSON a finished span is. Longer strings are cut when they are sent.
 *
 * @param bytes what {@link estimateSpanBytes} returned
 */
export function estimateSpanLength(span: ReadableSpan, bytes: number): number {
  return (bytes > MAX_STRING_LENGTH ? sizeOf(span, MAX_STRING_LENGTH) : bytes) - MEMORY_OVERHEAD;
}

/** @param maxLength as much as counts of a string */
function sizeOf(span: ReadableSpan, maxLength: number): number {
  try {
    const { name, attributes, events, links } = span;
    let size = SPAN_BYTES + lengthOf(name, maxLength) + sizeOfAttributes(attributes, maxLength);
    for (const event of events) size += EVENT_BYTES + sizeOfAttributes(event.attributes, maxLength);
    for (const link of links) size += EVENT_BYTES + sizeOfAttributes(link.attributes, maxLength);
    return size;
  } catch {
    return SPAN_BYTES;
  }
}

function sizeOfAttributes(attributes: Attributes | undefined, maxLength: number): number {
  let size = 0;
  for (const key in attributes) {
    const value = attributes[key];
    size += ENTRY_BYTES;
    if (typeof value === 'string') size += Math.min(value.length, maxLength);
    else if (Array.isArray(value)) for (const one of value.slice(0, MAX_ELEMENTS)) size += lengthOf(one, maxLength);
  }
  return size;
}

function lengthOf(value: unknown, maxLength: number): number {
  return typeof value === 'string' ? Math.min(value.length, maxLength) : NUMBER_BYTES;
}
