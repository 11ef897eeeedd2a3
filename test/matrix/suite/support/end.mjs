// An application that ends, each time in another way. WAY: none, alone, beside, exporter; END: message, throw, reject
import { load, SETUPS, simple } from './application.mjs';

const { WAY, END } = process.env;
const { captureMessage, FaultlineContextManager, FaultlineSpanExporter, init, openTelemetry, startSpan } =
  await load('faultline');

const PARTS = {
  beside: () => openTelemetry(),
  exporter: () => ({
    contextManager: new FaultlineContextManager(),
    textMapPropagator: null,
    spanProcessors: [simple(new FaultlineSpanExporter())],
  }),
};

if (WAY !== 'none') init({ tracesSampleRate: 1, skipOpenTelemetrySetup: WAY !== 'alone' });
if (PARTS[WAY]) SETUPS.NodeSDK(PARTS[WAY]());

const ENDS = {
  message: () => captureMessage('said last'),
  throw: () => {
    throw new RangeError('thrown last');
  },
  reject: () => Promise.reject(new RangeError('rejected last')),
};

setImmediate(() => startSpan({ name: 'last' }, ENDS[END]));
