/**
 * Envelopes a transport may hold. Beyond the defaults, because transactions may leave in bursts long after they ended,
 * and at this pace that is hundreds of them.
 */
export const BUFFER_SIZE = 10_000;

const SAMPLE_EVERY = 100;
const NEWLINE = 10;
const SPAN_ID = '"span_id":';

/** The far end of an in-process transport: takes the bytes of envelopes, counts those of events, keeps some to look at. */
export class EnvelopeSink {
  /** Errors and transactions that arrived. */
  count = 0;
  /** Spans that arrived, if they are counted. */
  spans = 0;
  bytes = 0;
  /** Some of their payloads, one operation each. */
  samples = [];
  #countsSpans;

  constructor({ countsSpans = false } = {}) {
    this.#countsSpans = countsSpans;
  }

  async accept({ body }) {
    // Who hands over text leaves the encoding to the transport; it is part of the way to the bytes.
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.bytes += bytes.byteLength;
    if (this.#countsSpans) this.spans += countSpans(bytes);
    if (isEvent(bytes)) {
      // Copied, because a small buffer keeps the pool that it is a part of.
      if (this.count % SAMPLE_EVERY === 0) this.samples.push(Uint8Array.from(bytes));
      this.count++;
    }
    return { statusCode: 200 };
  }
}

/** Whether the first item of an envelope is an error or a transaction; client reports and sessions are not. */
function isEvent(bytes) {
  const start = bytes.indexOf(NEWLINE) + 1;
  const itemHeaders = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.indexOf(NEWLINE, start) - start);
  return /"type":"(event|transaction)"/.test(itemHeaders.latin1Slice());
}

/** Each has its id once, also a root. */
function countSpans(bytes) {
  let count = 0;
  for (let at = bytes.indexOf(SPAN_ID); at >= 0; at = bytes.indexOf(SPAN_ID, at + 1)) count++;
  return count;
}
