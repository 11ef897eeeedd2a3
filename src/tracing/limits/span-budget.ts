import type { Attributes } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { MAX_STRING_LENGTH } from '../../internal/values/strings.js';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_SPANS = 50_000;

/** Heap size of one span of OTel's SDK, without its attributes, events and links. */
const SPAN_BYTES = 1000;
/** How much less a span takes in JSON; its attributes take about as much there as in memory. */
const MEMORY_OVERHEAD = 750;
/** As much as two strings: longer ones are cut when they are sent. */
const MAX_SPAN_LENGTH = 2 * MAX_STRING_LENGTH;
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
  try {
    const { name, attributes, events, links } = span;
    let bytes = SPAN_BYTES + lengthOf(name) + bytesOf(attributes);
    for (const event of events) bytes += EVENT_BYTES + bytesOf(event.attributes);
    for (const link of links) bytes += EVENT_BYTES + bytesOf(link.attributes);
    return bytes;
  } catch {
    return SPAN_BYTES;
  }
}

/** Estimates how many characters of JSON a span is, from how much memory it takes. */
export function estimateSpanLength(bytes: number): number {
  return Math.min(bytes - MEMORY_OVERHEAD, MAX_SPAN_LENGTH);
}

function bytesOf(attributes: Attributes | undefined): number {
  let bytes = 0;
  for (const key in attributes) {
    const value = attributes[key];
    bytes += ENTRY_BYTES;
    if (typeof value === 'string') bytes += value.length;
    else if (Array.isArray(value)) for (const one of value.slice(0, MAX_ELEMENTS)) bytes += lengthOf(one);
  }
  return bytes;
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : NUMBER_BYTES;
}
