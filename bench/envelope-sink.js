/**
 * Envelopes a transport may hold. Beyond the defaults, because transactions may leave in bursts long after they ended,
 * and at this pace that is hundreds of them.
 */
export const BUFFER_SIZE = 10_000;

const SAMPLE_EVERY = 100;
const NEWLINE = 10;

/** The far end of an in-process transport: takes the bytes of envelopes, counts those of events, keeps some to look at. */
export class EnvelopeSink {
  /** Errors and transactions that arrived. */
  count = 0;
  bytes = 0;
  /** Some of their payloads, one operation each. */
  samples = [];

  async accept({ body }) {
    // Who hands over text leaves the encoding to the transport; it is part of the way to the bytes.
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.bytes += bytes.byteLength;
    if (isEvent(bytes)) {
      if (this.count % SAMPLE_EVERY === 0) this.samples.push(bytes);
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
