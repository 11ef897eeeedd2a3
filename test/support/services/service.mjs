// A service of the tests: Express and OTel's instrumentation of http and express, `init` alone beside them.
import { createRequire } from 'node:module';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { captureException, close, getClient, getTraceData, init, setTag, setUser, startSpan } from 'faultline';
import { announce } from './announce.mjs';

const { DSN, RATE, DOWNSTREAM } = process.env;

init({ dsn: DSN, tracesSampleRate: Number(RATE), shutdownTimeout: 5000 });
registerInstrumentations({ instrumentations: [new HttpInstrumentation(), new ExpressInstrumentation()] });

// Required, not imported: the instrumentations patch what is required without a loader hook.
const require = createRequire(import.meta.url);
const http = require('node:http');
const express = require('express');

const app = express();

app.get('/products/:id', async (request, response) => {
  const { id } = request.params;
  setUser({ id: `user-${id}` });
  setTag('product', id);
  await startSpan({ name: 'load', op: 'db.query' }, async () => {
    await new Promise((resolve) => setTimeout(resolve, Number(id) % 5));
    startSpan({ name: 'parse' }, () => undefined);
    if (request.query.fail) captureException(new Error(`no product ${id}`));
  });
  const below = DOWNSTREAM ? await get(`${DOWNSTREAM}/stock/${id}`) : undefined;
  const { 'sentry-trace': sentryTrace, baggage } = getTraceData();
  const [, sampleRand] = /sentry-sample_rand=([\d.]+)/.exec(baggage) ?? [];
  response.json({ traceparts: sentryTrace?.split('-'), sampleRand, below });
});

app.get('/stock/:id', (_request, response) => {
  response.json({ traceparts: getTraceData()['sentry-trace'].split('-') });
});

function get(url) {
  return new Promise((resolve, reject) => {
    http
      .get(url, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve(JSON.parse(text)));
      })
      .on('error', reject);
  });
}

const server = app.listen(0, '127.0.0.1', () => announce(server, { close, getClient }));
