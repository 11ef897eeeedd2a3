// A small service of `node:http` under load: from the first byte of a request until the bytes of its span are handed over.

export const script = 'serve.js';
export const setup = { tracesSampleRate: 1, spansPerOperation: 1 };
export const systems = ['no-sdk', 'otel-http', 'faultline', 'sentry'];
export const warmUpOperations = 20_000;
export const operations = 20_000;
export const content = ['"url.path"'];
