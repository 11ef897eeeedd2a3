// Faultline with its default integrations, spans through its own API.

import * as Faultline from '../../dist/index.mjs';
import { BUFFER_SIZE, EnvelopeSink } from '../envelope-sink.js';

export const title = 'faultline';

/** @returns {import('../measure.js').System} */
export function setup({ tracesSampleRate, bufferSize = BUFFER_SIZE, skipOpenTelemetrySetup = false, countsSpans }) {
  const delivery = new EnvelopeSink({ countsSpans });
  Faultline.init({
    dsn: 'https://key@127.0.0.1/1',
    ...(tracesSampleRate === undefined ? {} : { tracesSampleRate }),
    skipOpenTelemetrySetup,
    transportOptions: { bufferSize },
    transport: (options) => Faultline.createTransport(options, (request) => delivery.accept(request)),
  });
  return {
    startSpan: (name, attributes, callback) => Faultline.startSpan({ name, attributes }, callback),
    captureEvent: Faultline.captureEvent,
    captureException: Faultline.captureException,
    captureMessage: Faultline.captureMessage,
    setTag: Faultline.setTag,
    addBreadcrumb: Faultline.addBreadcrumb,
    flush: () => Faultline.flush(),
    delivery,
  };
}
