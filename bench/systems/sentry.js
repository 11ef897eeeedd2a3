// The peer, with its default integrations.

import * as Sentry from '@sentry/node';
import { BUFFER_SIZE, EnvelopeSink } from '../envelope-sink.js';

export const title = '@sentry/node';

/** @returns {import('../measure.js').System} */
export function setup({ tracesSampleRate, bufferSize = BUFFER_SIZE }) {
  const delivery = new EnvelopeSink();
  Sentry.init({
    dsn: 'https://key@127.0.0.1/1',
    ...(tracesSampleRate === undefined ? {} : { tracesSampleRate }),
    transportOptions: { bufferSize },
    transport: (options) => Sentry.createTransport(options, (request) => delivery.accept(request)),
  });
  return {
    startSpan: (name, attributes, callback) => Sentry.startSpan({ name, attributes }, callback),
    captureEvent: Sentry.captureEvent,
    captureException: Sentry.captureException,
    captureMessage: Sentry.captureMessage,
    setTag: Sentry.setTag,
    addBreadcrumb: Sentry.addBreadcrumb,
    flush: () => Sentry.flush(),
    delivery,
  };
}
