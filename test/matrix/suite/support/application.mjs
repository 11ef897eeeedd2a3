// The packages of the application, of whichever generation they are, imported or required.
import { createRequire } from 'node:module';

const { LOAD, SDK_MAJOR } = process.env;
const require = createRequire(import.meta.url);

/** Whether the application has SDK 3, whose processors take an object, and whose provider has another name. */
export const isSdk3 = SDK_MAJOR === '3';

/** @param {string} name of a package */
export const load = async (name) => (LOAD === 'require' ? require(name) : import(name));

export const api = await load('@opentelemetry/api');
export const core = await load('@opentelemetry/core');
export const sdk = await load(isSdk3 ? '@opentelemetry/sdk-trace' : '@opentelemetry/sdk-trace-base');
export const sdkNode = await load('@opentelemetry/sdk-node');

export const TracerProvider = isSdk3 ? sdk.TracerProvider : sdk.BasicTracerProvider;

export const simple = (exporter) => new sdk.SimpleSpanProcessor(isSdk3 ? { exporter } : exporter);

export const batched = (exporter, options) =>
  isSdk3 ? new sdk.BatchSpanProcessor({ exporter, ...options }) : new sdk.BatchSpanProcessor(exporter, options);

/** Samples as most applications do. @param {number} rate 0 to 1 */
export const parentBased = (rate) => new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(rate) });

/** Takes what is handed to it, as an exporter does, and keeps it when it is shut down. */
export class Exporter {
  spans = [];

  export(spans, done) {
    this.spans.push(...spans);
    done({ code: core.ExportResultCode.SUCCESS });
  }

  async forceFlush() {}
  async shutdown() {}
}

const NOTHING_ELSE = { metricReaders: [], logRecordProcessors: [], autoDetectResources: false };

function withNodeSdk(parts) {
  const node = new sdkNode.NodeSDK({ ...parts, ...NOTHING_ELSE });
  node.start();
  return node;
}

function withProvider({ contextManager, textMapPropagator, ...options }) {
  const provider = new TracerProvider(options);
  api.trace.setGlobalTracerProvider(provider);
  api.context.setGlobalContextManager(contextManager.enable());
  api.propagation.setGlobalPropagator(textMapPropagator);
  return provider;
}

async function withNodeTracerProvider({ contextManager, textMapPropagator: propagator, ...options }) {
  const { NodeTracerProvider } = await load('@opentelemetry/sdk-trace-node');
  const provider = new NodeTracerProvider(options);
  provider.register({ contextManager, propagator });
  return provider;
}

function withStartNodeSdk({ textMapPropagator, ...options }) {
  const resource = { resourceDetectors: [] };
  return sdkNode.startNodeSdk({ ...options, ...resource, ...NOTHING_ELSE, propagators: [textMapPropagator] });
}

/** The ways in which an application sets OpenTelemetry up, each given parts, each returning what is to be shut down. */
export const SETUPS = {
  NodeSDK: withNodeSdk,
  [isSdk3 ? 'TracerProvider' : 'BasicTracerProvider']: withProvider,
  ...(isSdk3 ? { startNodeSdk: withStartNodeSdk } : { NodeTracerProvider: withNodeTracerProvider }),
};
