import { unref } from '../internal/unref.js';
import type { TransportFactory, TransportResponse } from '../model/delivery/transport.js';
import { createStoringTransport } from '../transport/create-transport.js';

/**
 * What becomes of one request: the destination answers with a status, or with a status and headers; `refused` means
 * that it cannot be reached, and `silent` that it never answers.
 */
export type PlannedAnswer = number | 'refused' | 'silent' | TransportResponse;

export interface FailingTransportOptions {
  /** For the first requests, one each, in order. @default none */
  first?: readonly PlannedAnswer[] | undefined;
  /** For all others. @default 200 */
  later?: PlannedAnswer | undefined;
  /** Milliseconds until each answer. @default 0 */
  delayMillis?: number | undefined;
  /**
   * Whether to send again what was not answered, after some time, as the SDK's own transport does; other transports
   * leave that out. @default true
   */
  retries?: boolean | undefined;
}

/**
 * A destination that misbehaves, for the option `transport` of `recordEvents`: what it accepts is recorded.
 *
 * @example
 * const sent = recordEvents({ transport: failingTransport({ first: [503, 'refused'] }) });
 */
export function failingTransport(options: FailingTransportOptions = {}): TransportFactory {
  const { first = [], later = 200, delayMillis = 0, retries = true } = options;
  return (transportOptions) => {
    let requests = 0;
    const makeRequest = async (): Promise<TransportResponse> => {
      const planned = first[requests++] ?? later;
      if (delayMillis > 0) await new Promise((resolve) => unref(setTimeout(resolve, delayMillis)));
      if (planned === 'silent') return new Promise(() => undefined);
      if (planned === 'refused') throw new Error('connect ECONNREFUSED (planned by failingTransport)');
      return typeof planned === 'number' ? { statusCode: planned } : planned;
    };
    return createStoringTransport(transportOptions, makeRequest, { retries });
  };
}
