import { beforeAll, describe, expect, it } from 'vitest';
import { type App, type AppRun, runApps } from '../support/app-runs.js';

const ALL_MILLIS = 300_000;

interface Mistake extends App {
  readonly says: RegExp;
}

const capturing = (options: string) =>
  `import { captureMessage, flush, init } from 'faultline';
   init({ ${options} });
   captureMessage('hello');
   await flush(5000);`;

const REQUEST = `import http from 'node:http';
  const serve = (handle) => new Promise((done) => {
    const server = http.createServer(handle).listen(0, '127.0.0.1', async () => {
      await (await fetch('http://127.0.0.1:' + server.address().port)).text();
      server.close(done);
    });
  });
`;

/**
 * An Express application whose only route throws.
 *
 * @param errorHandler code that handles what is thrown; runs behind the route
 * @param requests how many it gets, one after the other
 */
const failingExpress = (errorHandler: string, requests = 2) =>
  `import express from 'express';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { captureException, captureMessage, init } from 'faultline';
  import { setupExpressErrorHandler } from 'faultline/express';
  init({ dsn: process.env.DSN });
  const app = express();
  app.set('env', 'test');
  app.get('/orders/:id', () => { throw new Error('one'); });
  ${errorHandler}
  captureMessage('ready');
  const server = app.listen(0, '127.0.0.1', async () => {
    for (let id = 0; id < ${requests}; id++) {
      await (await fetch('http://127.0.0.1:' + server.address().port + '/orders/' + id)).text();
      await sleep(10);
    }
    server.close();
  });`;

/** What an application has that sets OpenTelemetry up itself, when it calls `startOpenTelemetry`. */
const OWN_SETUP = `import { init } from 'faultline';
  import { NodeSDK } from '@opentelemetry/sdk-node';
  import { ConsoleSpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
  const spanProcessors = [new SimpleSpanProcessor(new ConsoleSpanExporter())];
  const startOpenTelemetry = () =>
    new NodeSDK({ spanProcessors, metricReaders: [], logRecordProcessors: [] }).start();
`;

/** Named by default, on one line of stderr. */
const BY_DEFAULT: readonly Mistake[] = [
  {
    name: 'a wrong key: 401',
    project: 401,
    main: capturing('dsn: process.env.DSN'),
    says: /^faultline: The destination 127\.0\.0\.1:\d+ \(project 401\) answers 401 \(status \[31m401\), so nothing .* its key may be wrong.*\n$/,
  },
  {
    name: 'a disabled key: 403',
    project: 403,
    main: capturing('dsn: process.env.DSN'),
    says: /^faultline: .* answers 403 .* its key may be wrong.*\n$/,
  },
  {
    name: 'a project that does not exist: 404',
    project: 404,
    main: capturing('dsn: process.env.DSN'),
    says: /^faultline: .* answers 404 .* its host, path or project id may be wrong.*\n$/,
  },
  {
    name: 'a redirect to https: 301',
    project: 301,
    main: capturing('dsn: process.env.DSN'),
    says: /^faultline: .* answers 301 .* put the final address into the DSN.*\n$/,
  },
  ...[400, 413, 500].map((project) => ({
    name: `a destination that answers every request with ${project}`,
    project,
    main: `import { captureMessage, flush, init } from 'faultline';
      init({ dsn: process.env.DSN });
      for (let i = 0; i < 5; i++) {
        captureMessage('hello');
        await flush(5000);
      }`,
    says: new RegExp(
      `^faultline: The destination .* has refused the first 3 requests of this process, the last with status ${project} \\(status .*\\), so nothing has arrived\\. Check that the DSN .*\\n$`,
    ),
  })),
  ...[400, 500].map((project) => ({
    name: `a destination that answers the only request of a short process with ${project}`,
    project,
    main: `import { captureMessage, init } from 'faultline'; init({ dsn: process.env.DSN }); captureMessage('hello');`,
    says: new RegExp(
      `^faultline: The destination .* has refused the first request of this process with status ${project} \\(status .*\\), so nothing has arrived\\. Check that the DSN .*\\n$`,
    ),
  })),
  {
    name: 'a destination that answers two requests with 500, in a process that ends by process.exit',
    project: 500,
    main: `import { captureMessage, flush, init } from 'faultline';
      init({ dsn: process.env.DSN, sendClientReports: false });
      for (let i = 0; i < 2; i++) {
        captureMessage('hello');
        await flush(5000);
      }
      process.exit();`,
    says: /^faultline: .* has refused the first 2 requests of this process, the last with status 500 .*\n$/,
  },
  ...[0, 1].map((accepted) => ({
    name: `a web site in place of the destination after ${accepted} answers`,
    main: `import { captureMessage, flush, init } from 'faultline';
      import http from 'node:http';
      let left = ${accepted};
      const site = http.createServer((request, response) => {
        request.resume();
        if (left-- > 0) return response.end('{}');
        response.setHeader('content-type', 'text/html; charset=utf-8').end('<!doctype html><title>Shop</title>');
      });
      site.listen(0, '127.0.0.1', async () => {
        init({ dsn: 'http://key@127.0.0.1:' + site.address().port + '/1' });
        for (let i = 0; i < 2; i++) {
          captureMessage('hello');
          await flush(5000);
        }
        process.exit();
      });`,
    says: /^faultline: The destination 127\.0\.0\.1:\d+ \(project 1\) answers 200 with a web page, so it is a web site, or a proxy .* Nothing arrives until it answers otherwise; .* kept in \/.* If it stays like this, compare the DSN with .* its host, port or path may be wrong\.\n$/,
  })),
  {
    name: 'a destination that nobody answers for',
    main: capturing("dsn: 'http://key@127.0.0.1:1/1', transportOptions: { store: { directory: './store' } }"),
    says: /^faultline: The destination 127\.0\.0\.1:1 \(project 1\) cannot be reached, because nothing listens there: check host and port in the DSN\. Nothing that this process captured has arrived\. Errors that are unsent at the end of the process are kept in \/.*\/store\/faultline-\w+\/v1-\w+ and sent when it answers\.\n$/,
  },
  {
    name: 'a destination whose name has no address, without a store',
    main: `import { captureException, init } from 'faultline';
      init({ dsn: 'http://key@errors.invalid/1', transportOptions: { store: false }, shutdownTimeout: 9000 });
      captureException(new Error('one'));`,
    says: /^faultline: The destination errors\.invalid \(project 1\) cannot be reached, because its name has no address: check the host in the DSN\. .* has arrived\. What is unsent at the end of the process is lost\.\n$/,
  },
  {
    name: 'a folder for unsent data that every user may write to',
    main: `import { captureMessage, flush, init } from 'faultline';
      import { chmodSync, mkdirSync } from 'node:fs';
      mkdirSync('./shared');
      chmodSync('./shared', 0o777);
      init({ dsn: process.env.DSN, transportOptions: { store: { directory: './shared' } } });
      captureMessage('one');
      await flush();
      await new Promise((done) => setTimeout(done, 300));`,
    says: /^faultline: The folder where unsent envelopes are stored cannot be used: .*shared: Error: every user may write to .*\. What is unsent when the process ends is lost\. .*\n$/,
  },
  {
    name: 'a folder for unsent data that cannot be made, when something has to be stored',
    main: `import { captureMessage, init } from 'faultline';
      import { writeFileSync } from 'node:fs';
      writeFileSync('./file', '');
      init({ dsn: process.env.DSN, transportOptions: { store: { directory: './file/store' } } });
      captureMessage('one');
      process.exit();`,
    says: /^faultline: The folder where unsent envelopes are stored cannot be used: .*file\/store: .*\n$/,
  },
  {
    name: 'a level that does not exist, with nothing captured later',
    main: `import { captureMessage, init } from 'faultline';
      init({ dsn: process.env.DSN });
      captureMessage('hello', { level: 'warn' });`,
    says: /^faultline: captureMessage: the level .* is "warn"; it is ignored\n$/,
  },
  {
    name: 'an Express application without setupExpressErrorHandler',
    main: failingExpress(''),
    says: /^faultline: GET \/orders\/:id was answered with 500, and no error was captured\. If a framework .* setupExpressErrorHandler\(app\) or .*; Fastify needs none, but init before fastify\(\)\. If the answer is intended, list its path in ignoreRequests .*\n$/,
  },
  {
    name: 'a second init without a destination',
    main: `import { captureMessage, init } from 'faultline';
      init({ dsn: process.env.DSN });
      init({ environment: 'second' });
      captureMessage('lost');`,
    says: /^faultline: init was called again, without a dsn: nothing is sent any more, .*\n$/,
  },
  {
    name: 'a file of variables that is read after init',
    main: `import { captureMessage, init } from 'faultline';
      init();
      process.env.FAULTLINE_DSN = process.env.DSN;
      captureMessage('lost');`,
    says: /^faultline: FAULTLINE_DSN was set after init, which found no DSN: nothing is sent\. .*\n$/,
  },
  {
    name: 'a file of variables that is read when all is done',
    main: `import { init } from 'faultline';
      init();
      process.on('beforeExit', () => (process.env.FAULTLINE_DSN = process.env.DSN));`,
    says: /^faultline: FAULTLINE_DSN was set after init, which found no DSN: nothing is sent\. .*\n$/,
  },
  {
    // As Apollo Server and GraphQL Yoga look at a plugin.
    name: 'functions that make plugins, passed as plugins',
    main: `import { captureMessage, init } from 'faultline';
      import { createApolloErrorPlugin } from 'faultline/apollo';
      import { createYogaErrorPlugin } from 'faultline/yoga';
      init({ dsn: process.env.DSN });
      captureMessage('ready');
      await createApolloErrorPlugin.requestDidStart?.({});
      createYogaErrorPlugin.onPluginInit?.({});`,
    says: /^faultline: createApolloErrorPlugin: it is a function that makes the plugin, .* call createApolloErrorPlugin\(\)\nfaultline: createYogaErrorPlugin: .*\n$/,
  },
  {
    name: 'a feedback that is a string, and one without a message',
    main: `import { captureFeedback, captureMessage, init } from 'faultline';
      init({ dsn: process.env.DSN });
      captureFeedback('nice');
      captureFeedback({ msg: 'nice' });`,
    says: /^faultline: captureFeedback: the feedback must be an object such as \{ message \}, .*\nfaultline: captureFeedback: message must be a non-empty string, .*\n$/,
  },
  {
    name: 'a console method that does not exist',
    main: `import { captureConsoleIntegration, captureMessage, init } from 'faultline';
      init({ dsn: process.env.DSN, integrations: [captureConsoleIntegration({ levels: ['err'] })] });
      captureMessage('one');`,
    says: /^faultline: captureConsoleIntegration: levels: must be methods of the console \(.*\), but one is "err"; it is ignored\n$/,
  },
  {
    name: 'a breadcrumb with a wrong member',
    main: `import { addBreadcrumb, captureMessage, init } from 'faultline';
      init({ dsn: process.env.DSN });
      addBreadcrumb({ msg: 'clicked' });
      addBreadcrumb({ type: 'http', level: 'info' });
      captureMessage('one');`,
    says: /^faultline: addBreadcrumb: the breadcrumb has no message, category or data, only "msg"; .*\n$/,
  },
  {
    name: 'a job that is wrapped and fails, in an application whose requests are not',
    main: `import { captureMessage, init } from 'faultline';
      import { wrapJob } from 'faultline/jobs';
      import http from 'node:http';
      init({ dsn: process.env.DSN });
      captureMessage('ready');
      const cleanUp = wrapJob('cleanup', () => { throw new Error('no job'); });
      const server = http.createServer((request, response) => response.writeHead(500).end());
      server.listen(0, '127.0.0.1', async () => {
        await (await fetch('http://127.0.0.1:' + server.address().port)).text();
        try { cleanUp(); } catch {}
        server.close();
      });`,
    says: /^faultline: GET .*was answered with 500, and no error was captured\. .*\n$/,
  },
  {
    name: 'a worker thread that captures without init',
    main: `import { captureMessage, init } from 'faultline';
      import { Worker } from 'node:worker_threads';
      init({ dsn: process.env.DSN });
      captureMessage('ready');
      const source = "const { captureMessage } = require('faultline'); captureMessage('lost'); captureMessage('too');";
      new Worker(source, { eval: true });`,
    says: /^faultline: captures in a worker thread are lost, because init was not called in it: .*\n$/,
  },
  {
    name: 'a failure after one of which an error may have been captured elsewhere',
    main: `import { captureException, init } from 'faultline';
      import http from 'node:http';
      init({ dsn: process.env.DSN });
      const server = http.createServer((request, response) => response.writeHead(500).end());
      server.listen(0, '127.0.0.1', async () => {
        const send = async (path) => (await fetch('http://127.0.0.1:' + server.address().port + path)).text();
        await send('/one');
        captureException(new Error('one'));
        await new Promise((done) => setTimeout(done, 5500));
        await send('/two');
        server.close();
      });`,
    says: /^faultline: GET .*was answered with 500, and no error was captured\. .*\n$/,
  },
  {
    name: 'a failure after an intended answer with 503',
    main: `import { captureMessage, init } from 'faultline';
      import http from 'node:http';
      init({ dsn: process.env.DSN });
      captureMessage('ready');
      const server = http.createServer((request, response) => response.writeHead(Number(request.url.slice(1))).end());
      server.listen(0, '127.0.0.1', async () => {
        for (const status of [503, 500]) await (await fetch('http://127.0.0.1:' + server.address().port + '/' + status)).text();
        server.close();
      });`,
    says: /^faultline: GET .*was answered with 500, and no error was captured\. .*\n$/,
  },
  {
    name: 'a setup function that is passed to app.use in place of being called',
    main: `import express from 'express';
      import { init } from 'faultline';
      import { setupExpressErrorHandler } from 'faultline/express';
      init({ dsn: process.env.DSN });
      const app = express();
      app.set('env', 'test');
      app.get('/', () => { throw new Error('one'); });
      app.use(setupExpressErrorHandler);
      const server = app.listen(0, '127.0.0.1', async () => {
        const url = 'http://127.0.0.1:' + server.address().port;
        for (const [path, status] of [['/', 500], ['/', 500], ['/none', 404]]) {
          const answer = await fetch(url + path);
          if (answer.status !== status) throw new Error('answered ' + answer.status);
        }
        server.close();
      });`,
    says: /^faultline: setupExpressErrorHandler: is not a middleware and captures no errors: call setupExpressErrorHandler\(app\) instead of app\.use\(setupExpressErrorHandler\)\n$/,
  },
  {
    name: 'a DSN in place of the options',
    main: `import { init } from 'faultline';
      init(process.env.DSN);`,
    says: /^faultline: the options must be an object such as \{ dsn \}, but are a string; they are ignored\n$/,
  },
  {
    name: 'a list in place of the options of an integration',
    main: `import { captureConsoleIntegration, init } from 'faultline';
      init({ dsn: process.env.DSN, integrations: [captureConsoleIntegration(['error'])] });`,
    says: /^faultline: captureConsoleIntegration: its options must be an object, but are an array\n$/,
  },
  {
    name: 'options that do not exist, one of them a typo',
    main: capturing('dsn: process.env.DSN, tracesSamplerate: 1, colour: "red"'),
    says: /^faultline: tracesSamplerate: there is no such option; it is ignored \(did you mean `tracesSampleRate`\?\)\. colour: there is no such option; it is ignored\n$/,
  },
  {
    name: 'a variable that does not exist',
    main: capturing('dsn: process.env.DSN'),
    env: { FAULTLINE_TRACE_SAMPLE_RATE: '1', FAULTLINE_STORE_DIR: '', FAULTLINE_UNSET: '' },
    says: /^faultline: FAULTLINE_TRACE_SAMPLE_RATE: there is no such variable; it is ignored \(did you mean `FAULTLINE_TRACES_SAMPLE_RATE`\?\)\n$/,
  },
  {
    name: 'an OpenTelemetry setup that comes after init, without skipOpenTelemetrySetup',
    main: `${OWN_SETUP} init({ dsn: process.env.DSN, tracesSampleRate: 1 });
      for (let i = 0; i < 2; i++) startOpenTelemetry();`,
    says: /^faultline: \w*TracerProvider was not registered, because init had .*: no span reaches your exporters\. Call init\({ skipOpenTelemetrySetup: true }\) .*\n$/,
  },
  {
    name: 'an OpenTelemetry setup that came before init, without Faultline’s parts',
    main: `${OWN_SETUP} startOpenTelemetry();
      init({ dsn: process.env.DSN, tracesSampleRate: 1 });`,
    says: /^faultline: no transaction is sent, because OpenTelemetry was set up before init \(\w*TracerProvider\) without .*\n$/,
  },
  {
    name: 'an OpenTelemetry setup that comes after init, with skipOpenTelemetrySetup and without Faultline’s parts',
    main: `${OWN_SETUP} init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      startOpenTelemetry();`,
    says: /^faultline: no transaction is sent, because OpenTelemetry was set up \(\w*TracerProvider\) without Faultline's parts\. Pass \.\.\.openTelemetry\(\) to .*\n$/,
  },
  {
    name: 'Faultline’s parts in a NodeSDK whose own exporter they replace',
    main: `import { init, openTelemetry } from 'faultline';
      import { NodeSDK } from '@opentelemetry/sdk-node';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      new NodeSDK({ ...openTelemetry(), metricReaders: [], logRecordProcessors: [] }).start();`,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
    says: /^faultline: OTEL_EXPORTER_OTLP_ENDPOINT is set, but only Faultline gets spans: NodeSDK makes no exporter .* Fix: new NodeSDK\({ \.\.\.openTelemetry\({ spanProcessors: .*\n$/,
  },
  {
    name: 'a propagator in OTEL_PROPAGATORS that Faultline’s parts do not have',
    main: `import { init, openTelemetry } from 'faultline';
      import { NodeSDK } from '@opentelemetry/sdk-node';
      import { ConsoleSpanExporter } from '@opentelemetry/sdk-trace-base';
      const traceExporter = new ConsoleSpanExporter();
      const parts = openTelemetry({ traceExporter });
      init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      new NodeSDK({ ...parts, metricReaders: [], logRecordProcessors: [] }).start();`,
    env: { OTEL_PROPAGATORS: 'b3,tracecontext,jaeger' },
    says: /^faultline: openTelemetry: OTEL_PROPAGATORS names b3, jaeger, which .* Pass objects for all that it names: openTelemetry\({ propagator: .*\n$/,
  },
  {
    name: 'processors after the spread, which take the place of Faultline’s',
    main: `${OWN_SETUP} import { openTelemetry } from 'faultline';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      new NodeSDK({ ...openTelemetry(), spanProcessors, metricReaders: [], logRecordProcessors: [] }).start();`,
    says: /^faultline: \w*TracerProvider has neither a FaultlineSpanProcessor nor a FaultlineSpanExporter, so that no span becomes a transaction\. Fix: new NodeSDK.*\n$/,
  },
  {
    name: 'an exporter behind Faultline’s sampler, without its processor',
    main: `import { FaultlineSpanExporter, init, openTelemetry } from 'faultline';
      import { trace } from '@opentelemetry/api';
      import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      const { sampler } = openTelemetry();
      const spanProcessors = [new BatchSpanProcessor(new FaultlineSpanExporter())];
      trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler, spanProcessors }));`,
    says: /^faultline: There are a FaultlineSampler and a FaultlineSpanExporter, but no FaultlineSpanProcessor: .* Fix: new NodeSDK.*\n$/,
  },
  {
    name: 'a sampler after the spread that records nothing',
    main: `import { init, openTelemetry } from 'faultline';
      import { NodeSDK } from '@opentelemetry/sdk-node';
      import { AlwaysOffSampler } from '@opentelemetry/sdk-trace-base';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      const sampler = new AlwaysOffSampler();
      new NodeSDK({ ...openTelemetry(), sampler, metricReaders: [], logRecordProcessors: [] }).start();`,
    says: /^faultline: The sampler of the tracer provider \(AlwaysOffSampler\) records none .* Fix: new NodeSDK.*\n$/,
  },
  {
    name: 'Faultline’s parts in a provider that nobody registers',
    main: `import { init, openTelemetry } from 'faultline';
      import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      new BasicTracerProvider(openTelemetry());`,
    says: /^faultline: skipOpenTelemetrySetup is set, and no tracer provider is registered, so that no transaction is sent\. Fix: new NodeSDK.*\n$/,
  },
  {
    name: 'a NodeSDK that is never started, in a server',
    main: `import { init, openTelemetry } from 'faultline';
      import { NodeSDK } from '@opentelemetry/sdk-node';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      new NodeSDK({ ...openTelemetry(), metricReaders: [], logRecordProcessors: [] });
      setTimeout(() => process.exit(), 12_000);`,
    says: /^faultline: skipOpenTelemetrySetup is set, and no tracer provider is registered, .*\n$/,
  },
  {
    name: 'a span in an OpenTelemetry setup that never comes',
    main: `import { init, startSpan } from 'faultline';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      startSpan({ name: 'work' }, () => undefined);`,
    says: /^faultline: skipOpenTelemetrySetup is set, and no tracer provider is registered, .*\n$/,
  },
  {
    name: 'a job in an OpenTelemetry setup that never comes',
    main: `import { init } from 'faultline';
      import { wrapJob } from 'faultline/jobs';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      wrapJob('work', () => undefined)();`,
    says: /^faultline: skipOpenTelemetrySetup is set, and no tracer provider is registered, .*\n$/,
  },
  {
    name: 'a request in an OpenTelemetry setup that never comes',
    main: `${REQUEST} import { init } from 'faultline';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      await serve((request, response) => response.end());`,
    says: /^faultline: skipOpenTelemetrySetup is set, and no tracer provider is registered, .*\n$/,
  },
  {
    name: 'captureRecordedExceptions beside OpenTelemetry, without Faultline’s parts',
    main: `${OWN_SETUP} init({ dsn: process.env.DSN, captureRecordedExceptions: true, skipOpenTelemetrySetup: true });
      startOpenTelemetry();`,
    says: /^faultline: captureRecordedExceptions is on, but \w*TracerProvider has no FaultlineSpanProcessor, so that .* are not captured\. Fix: new NodeSDK.*\n$/,
  },
  {
    name: 'errors only beside OpenTelemetry, under faultline dev',
    main: `${OWN_SETUP} init({ dsn: process.env.DSN, skipOpenTelemetrySetup: true });
      startOpenTelemetry();`,
    env: { FAULTLINE_DEV: '1', FAULTLINE_TRACES_SAMPLE_RATE: '1' },
    says: /^faultline: only errors are shown, because OpenTelemetry was set up \(\w*TracerProvider\) without Faultline's parts\. Pass \.\.\.openTelemetry\(\) to your own setup to see traces\n$/,
  },
  {
    name: 'an exporter in a setup without init, whose shutdown is awaited',
    main: `import { FaultlineSpanExporter } from 'faultline';
      import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
      const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(new FaultlineSpanExporter())] });
      for (let i = 0; i < 2; i++) {
        provider.getTracer('app').startSpan('work').end();
        await provider.forceFlush();
      }
      provider.getTracer('app').startSpan('work').end();
      await provider.shutdown();`,
    says: /^faultline: FaultlineSpanExporter: init was not called; spans are lost until it is\. Call init\(\{ dsn, skipOpenTelemetrySetup: true \}\) first, .*\n$/,
  },
  {
    name: 'parts for openTelemetry() that it does not know, or cannot use',
    main: `import { init, openTelemetry } from 'faultline';
      import { BasicTracerProvider, ConsoleSpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
      init({ dsn: process.env.DSN, skipOpenTelemetrySetup: true, openTelemetrySpanProcessors: new SimpleSpanProcessor(new ConsoleSpanExporter()) });
      openTelemetry({ spanProcesors: [] });
      openTelemetry({ traceExporter: new SimpleSpanProcessor(new ConsoleSpanExporter()) });
      const { spanProcessors } = openTelemetry({ spanProcessors: [new ConsoleSpanExporter()] });
      new BasicTracerProvider({ spanProcessors }).getTracer('app').startSpan('work').end();`,
    says: /^faultline: openTelemetry: spanProcesors: there is no such option; .* \(did you mean `spanProcessors`\?\)\nfaultline: openTelemetry: traceExporter: must be a span exporter, .*\nfaultline: openTelemetry: spanProcessors: must be an array .*\n$/,
  },
  {
    name: 'an exporter in place of a span processor',
    main: `import { init, openTelemetry } from 'faultline';
      import { ConsoleSpanExporter } from '@opentelemetry/sdk-trace-base';
      init({ dsn: process.env.DSN, skipOpenTelemetrySetup: true });
      openTelemetry({ spanProcessors: [new ConsoleSpanExporter()] });`,
    says: /^faultline: openTelemetry: spanProcessors: must be an array of span processors, such as new BatchSpanProcessor\(exporter\); anything else gets no span\n$/,
  },
  {
    name: 'captures in a copy of another major version',
    otherCopy: '1.0.0',
    main: `import { init } from 'faultline';
      import * as other from 'other-faultline';
      other.captureMessage('lost, but init may come');
      init({ dsn: process.env.DSN });
      for (let i = 0; i < 2; i++) other.captureMessage('lost');`,
    says: /^faultline: captures in Faultline 1\.0\.0 are lost, because init was called in 0\.\d+\.\d+ only\. Let all .*: npm dedupe\n$/,
  },
  {
    name: 'init in copies of two major versions',
    otherCopy: '1.0.0',
    main: `import { init } from 'faultline';
      import * as other from 'other-faultline';
      for (const copy of [other, { init }]) copy.init({ dsn: process.env.DSN });`,
    says: /^faultline: init was called in copies of incompatible versions \(0\.\d+\.\d+, 1\.0\.0\), which share neither .*\n$/,
  },
  {
    name: 'captures that come before init',
    main: `import { captureMessage, init } from 'faultline';
      captureMessage('one'); captureMessage('two');
      init({ dsn: process.env.DSN });`,
    says: /^faultline: captures before init: 2; they are lost\. Call init first, .*\n$/,
  },
  {
    name: 'options of integrations that do not exist: a line for each',
    main: `import { captureMessage, flush, getClient, extraErrorDataIntegration, httpServerIntegration, init, requestDataIntegration, zodErrorsIntegration } from 'faultline';
      for (let i = 0; i < 2; i++) zodErrorsIntegration({ limits: 3 });
      init({
        dsn: process.env.DSN,
        integrations: [
          httpServerIntegration({ ignoreRequest: ['/health'], spans: undefined }),
          requestDataIntegration({ include: { cookie: true, ip: false } }),
        ],
      });
      getClient().addIntegration(extraErrorDataIntegration('deep'));
      captureMessage('hello');
      await flush(5000);`,
    says: /^faultline: zodErrorsIntegration: limits: there is no such option; it is ignored \(did you mean `limit`\?\)\nfaultline: httpServerIntegration: ignoreRequest: there is no such option; it is ignored \(did you mean `ignoreRequests`\?\)\nfaultline: requestDataIntegration: include\.cookie: there is no such option; it is ignored \(did you mean `include\.cookies`\?\)\nfaultline: extraErrorDataIntegration: its options must be an object, but are "deep"\n$/,
  },
  {
    name: 'setup functions of frameworks that get an option that does not exist, before init, and no application',
    main: `import { init } from 'faultline';
      import { wrapJob } from 'faultline/jobs';
      import { setupExpressErrorHandler } from 'faultline/express';
      for (let i = 0; i < 2; i++) wrapJob('nightly', () => undefined, { shouldHandleErrors: () => true });
      init({ dsn: process.env.DSN });
      for (let i = 0; i < 2; i++) setupExpressErrorHandler({});`,
    says: /^faultline: wrapJob: shouldHandleErrors: .* \(did you mean `shouldHandleError`\?\)\nfaultline: setupExpressErrorHandler: the first argument must be the application, but is an object without use\(\); its errors are not captured\. .*\n$/,
  },
  {
    name: 'names of the peer’s SDK that have no effect',
    main: `import * as Sentry from 'faultline/sentry';
      Sentry.init({
        dsn: process.env.DSN,
        enableLogs: true,
        profilesSampleRate: 1,
        integrations: [Sentry.postgresIntegration(), Sentry.anrIntegration(), Sentry.cronJobIntegration(), Sentry.pinoIntegration()],
      });
      for (let i = 0; i < 2; i++) {
        Sentry.logger.info('hello');
        Sentry.withMonitor('nightly', () => Sentry.captureCheckIn({ monitorSlug: 'nightly', status: 'ok' }));
      }`,
    says: /^faultline: without effect in faultline\/sentry: postgresIntegration, anrIntegration, cronJobIntegration, pinoIntegration, the option profilesSampleRate, the option enableLogs\. docs\/migrate\.md .*\nfaultline: [^:]*: logger\.info\. .*\nfaultline: [^:]*: withMonitor\. .*\nfaultline: [^:]*: captureCheckIn\. .*\n$/,
  },
  {
    name: 'an option of the peer’s integration that is misspelled',
    main: `import * as Sentry from 'faultline/sentry';
      Sentry.init({ dsn: process.env.DSN, integrations: [Sentry.httpServerIntegration({ ignoreRequest: () => false })] });`,
    says: /^faultline: httpServerIntegration: ignoreRequest: .* \(did you mean `ignoreRequests`\?\)\n$/,
  },
  {
    name: 'an ignoreRequests that throws',
    main: `${REQUEST} import { httpServerIntegration, init } from 'faultline';
      const ignoreRequests = (request) => request.headers.host.missing.length;
      init({ dsn: process.env.DSN, tracesSampleRate: 1, integrations: [httpServerIntegration({ ignoreRequests })] });
      for (let i = 0; i < 2; i++) await serve((_, response) => response.end('hi'));`,
    says: /^faultline: ignoreRequests threw: TypeError: .*; the request is not ignored\. It must return true or false\n$/,
  },
  {
    name: 'user code that answers with a promise, which rejects',
    main: `${REQUEST} import { addBreadcrumb, httpServerIntegration, init, startSpan } from 'faultline';
      const late = () => Promise.reject(new Error('late'));
      init({
        dsn: process.env.DSN,
        beforeBreadcrumb: late,
        tracesSampler: late,
        integrations: [httpServerIntegration({ ignoreRequests: late })],
      });
      addBreadcrumb({ message: 'one' });
      startSpan({ name: 'work' }, () => undefined);
      await serve((_, response) => response.end('hi'));`,
    says: /^faultline: beforeBreadcrumb must answer at once, but returned a promise; the breadcrumb was discarded.*\nfaultline: tracesSampler must answer at once, but returned a promise; such traces are not sampled\. .*\nfaultline: ignoreRequests must answer at once, but returned a promise; .*\n$/,
  },
];

const INIT = 'init({ dsn: process.env.DSN, debug: true });';
const LIVE = `import { captureException, captureMessage, close, flush, init, startSpan, startSpanManual } from 'faultline';
  import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
  import { context, propagation, trace } from '@opentelemetry/api';
  import { CompositePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
  import { FaultlineSpanProcessor, openTelemetry } from 'faultline';
  const register = ({ textMapPropagator, contextManager, ...parts }) => {
    trace.setGlobalTracerProvider(new BasicTracerProvider(parts));
    context.setGlobalContextManager(contextManager);
    propagation.setGlobalPropagator(textMapPropagator);
  };
  const beside = { dsn: process.env.DSN, debug: true, tracesSampleRate: 1, skipOpenTelemetrySetup: true };
`;

/** Named with `debug: true`. */
const IN_DEBUG: readonly Mistake[] = [
  {
    name: 'an empty variable FAULTLINE_DSN',
    main: `${LIVE} init({ debug: true });`,
    env: { FAULTLINE_DSN: '' },
    says: /started: sends nothing, because there is no DSN \(FAULTLINE_DSN is empty\)/,
  },
  {
    name: 'an option of the wrong type',
    main: `${LIVE} init({ dsn: process.env.DSN, debug: true, environment: 7 });`,
    says: /environment: must be a string that is not empty, but is 7; "production" is used instead/,
  },
  {
    name: 'a user and tags that are strings',
    main: `import { captureMessage, init, setTags, setUser } from 'faultline';
      ${INIT} setUser('ada@example.com'); setTags('acme'); setUser(null); setUser(undefined); captureMessage('one');`,
    says: /^(?!.*ada@)(?=.*user: must be an object with members, but is a string; it is ignored.*tags: must be an object with members, but is a string)/s,
  },
  {
    name: 'tracing without a rate',
    main: `${LIVE} ${INIT} startSpan({ name: 'work' }, () => undefined);`,
    says: /tracesSampleRate not set: no traces.*tracing-off: Neither tracesSampleRate nor tracesSampler is set/s,
  },
  {
    name: 'a capture before init',
    main: `${LIVE} captureMessage('early'); ${INIT}`,
    says: /captures before init: 1; they are lost\. Call init first/,
  },
  { name: 'init, twice', main: `${LIVE} ${INIT} ${INIT}`, says: /init was called before: its client is closed/ },
  {
    name: 'two copies of different major versions',
    otherCopy: '1.0.0',
    main: `${LIVE} import * as other from 'other-faultline';
      other.init({ dsn: process.env.DSN });
      ${INIT}`,
    says: /loaded-twice: Faultline is in this process 2 times/,
  },
  {
    name: 'a copy of another major version that only captures',
    otherCopy: '1.0.0',
    main: `${LIVE} import * as other from 'other-faultline';
      ${INIT}
      other.captureMessage('lost');`,
    says: /copy-without-init: Faultline 1\.x captures without init \(captures: 1\)/,
  },
  {
    name: 'a capture after close',
    main: `${LIVE} ${INIT} await close(); captureMessage('late');`,
    says: /closed: nothing was captured.*error event \w{32} discarded \(disabled\): the client is closed/s,
  },
  {
    name: 'process.exit right after a capture',
    main: `${LIVE} ${INIT} captureMessage('one'); captureMessage('two'); process.exit();`,
    says: /2 errors stored: unsent when the process ended.*ended: error 2 captured, 0 delivered, 0 discarded, 2 stored, 0 waiting/s,
  },
  {
    name: 'a span that is not ended',
    main: `${LIVE} init({ dsn: process.env.DSN, debug: true, tracesSampleRate: 1 });
      startSpanManual({ name: 'work' }, () => undefined);`,
    says: /spans that were running when the process ended: 1; they are not sent\. End each span(?!.*had not answered)/s,
  },
  {
    name: 'process.exit right after a capture, without a store',
    main: `${LIVE} init({ dsn: process.env.DSN, debug: true, transportOptions: { store: false } });
      captureMessage('one'); captureMessage('two'); process.exit();`,
    says: /2 errors lost: unsent when the process ended\. Await close\(\)/,
  },
  {
    name: 'an error that sampleRate discards',
    main: `${LIVE} init({ dsn: process.env.DSN, debug: true, sampleRate: 0 }); captureMessage('one');`,
    says: /error event \w{32} discarded \(sample_rate\): .*0/,
  },
  {
    name: 'a hook that never settles',
    main: `${LIVE} init({ dsn: process.env.DSN, debug: true, beforeSend: () => new Promise(() => undefined) });
      captureMessage('one'); setTimeout(() => process.exit(), 500);`,
    says: /\] faultline\/activity 1 error lost: a hook or an event processor had not returned when the process ended\. Let it/,
  },
  {
    name: 'captures without init, with FAULTLINE_DEBUG',
    main: `${LIVE} captureMessage('one'); captureMessage('two');`,
    env: { FAULTLINE_DEBUG: 'true' },
    says: /^faultline: captures without init: 2; they are lost\. Call init first.*\n$/,
  },
  {
    name: 'a rate limit: 429',
    project: 429,
    main: `${LIVE} ${INIT} captureMessage('one'); await flush(5000); captureMessage('two'); await flush(5000);`,
    says: /event \w{32}: refused, 429.*event \w{32}: not sent: the destination has limited the rate of such data/s,
  },
  {
    name: 'a store that keeps what is not sent',
    main: `${LIVE} init({ dsn: 'http://key@127.0.0.1:1/1', debug: true, transportOptions: { store: { directory: './store' } } });
      captureMessage('one'); await flush(5000);`,
    says: /event \w{32}: not sent: it is stored on disk/,
  },
  {
    name: 'a destination that refuses connections, in the log',
    main: `${LIVE} init({ dsn: 'http://key@127.0.0.1:1/1', debug: true }); captureMessage('one'); await flush(5000);`,
    says: /cannot be reached, because nothing listens there: check host and port in the DSN/,
  },
  {
    name: 'a destination that does not speak TLS',
    main: `${LIVE} init({ dsn: process.env.DSN.replace('http', 'https'), debug: true }); captureMessage('one'); await flush(5000);`,
    says: /cannot be reached, because it does not speak TLS: check http and https/,
  },
  {
    name: 'an existing setup without our parts',
    main: `${LIVE} trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [{ onStart() {}, onEnd() {} }] })); init(beside);`,
    says: /no-span-processor: BasicTracerProvider has neither/,
  },
  {
    name: 'an existing setup that init does not know of',
    main: `${LIVE} register(openTelemetry()); init({ ...beside, skipOpenTelemetrySetup: false });`,
    says: /setup-not-skipped: OpenTelemetry was set up before init/,
  },
  {
    name: 'no tracer provider',
    main: `${LIVE} init(beside);`,
    says: /no-tracer-provider: skipOpenTelemetrySetup is set/,
  },
  {
    name: 'our span processor, twice',
    main: `${LIVE} init(beside);
      register(openTelemetry({ spanProcessors: [new FaultlineSpanProcessor()] }));`,
    says: /two-span-processors: /,
  },
  {
    name: 'our sampler is missing, and another one keeps a part',
    main: `${LIVE} import { TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-base';
      init(beside);
      register({ ...openTelemetry(), sampler: new TraceIdRatioBasedSampler(0.1) });`,
    says: /existing-sampler-first: Transactions are made only of what the sampler of the tracer provider records/,
  },
  {
    name: 'another propagator beside our sampler',
    main: `${LIVE} init(beside);
      register({ ...openTelemetry(), textMapPropagator: new W3CTraceContextPropagator() });`,
    says: /foreign-propagator: W3CTraceContextPropagator has no FaultlinePropagator/,
  },
];

/** Named with `debug: true` once requests have come. */
const SEEN_IN_REQUESTS: readonly Mistake[] = [
  {
    name: 'an error handler that answers without capturing',
    main: `${LIVE} ${REQUEST} init({ dsn: process.env.DSN, debug: true });
      await serve((_, response) => Object.assign(response, { statusCode: 500 }).end('sorry'));
      await close();`,
    says: /failures-without-errors: Requests were answered with a status of 5xx, and no error was captured: GET \/ \(500\)\./,
  },
  {
    name: 'no instrumentation beside an existing setup',
    main: `${LIVE} ${REQUEST} init(beside); register(openTelemetry());
      await serve((_, response) => response.end('hi'));
      await close();`,
    says: /no-server-spans: HTTP requests were received \(1\), but no spans were made/,
  },
  {
    name: 'a queue that loses the context of a request',
    main: `${LIVE} ${REQUEST} import { ROOT_CONTEXT } from '@opentelemetry/api';
      init({ dsn: process.env.DSN, debug: true, tracesSampleRate: 1 });
      await serve((_, response) => {
        startSpan({ name: 'kept' }, () => undefined);
        startSpan({ name: 'on purpose', parentSpan: null }, () => undefined);
        for (let i = 0; i < 2; i++) context.with(ROOT_CONTEXT, () => startSpan({ name: 'lost' }, () => undefined));
        response.end('hi');
      });
      await close();`,
    says: /context-lost: Spans began during a request .*: 2 at [^ ]*main\.js:\d+:\d+\. A queue/,
  },
];

const INSTRUMENTATIONS = {
  'instrumentation.cjs': `const { NodeSDK } = require('@opentelemetry/sdk-node');
    const { ExpressInstrumentation } = require('@opentelemetry/instrumentation-express');
    const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
    const { init, openTelemetry } = require('faultline');
    exports.start = () => {
      init({ dsn: process.env.DSN, debug: true, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      const instrumentations = [new HttpInstrumentation(), new ExpressInstrumentation()];
      new NodeSDK({ ...openTelemetry(), instrumentations, metricReaders: [], logRecordProcessors: [] }).start();
    };`,
  'start.cjs': `require('./instrumentation.cjs').start();`,
  'hook.mjs': `import { register } from 'node:module';
    register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
    await import('./start.cjs');`,
};
const INSTRUMENTED = { files: INSTRUMENTATIONS, env: { OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' } };

/** Instrumentations that cannot patch, and the same after the remedy. */
const UNPATCHED: readonly (Mistake & { readonly mended: App })[] = [
  {
    ...INSTRUMENTED,
    name: 'an ES module without a loader hook',
    main: `import 'express';`,
    nodeOptions: ['--import', './start.cjs'],
    says: /no-loader-hook: .* cannot patch express\./,
    mended: {
      ...INSTRUMENTED,
      name: 'an ES module with a loader hook',
      main: `import 'express';`,
      nodeOptions: ['--import', './hook.mjs'],
    },
  },
  {
    ...INSTRUMENTED,
    name: 'a package that is loaded before its instrumentation',
    isCommonJs: true,
    main: `require('express'); require('./instrumentation.cjs').start();`,
    says: /instrumented-too-late: .* is to patch it: express\./,
    mended: {
      ...INSTRUMENTED,
      name: 'a package that is loaded after its instrumentation',
      isCommonJs: true,
      main: `require('express');`,
      nodeOptions: ['--require', './start.cjs'],
    },
  },
];

/** What a correct application says with `debug: true`. */
const HEALTHY: Mistake = {
  name: 'a healthy run',
  main: `${LIVE} ${REQUEST}
    init({ dsn: process.env.DSN, debug: true, tracesSampleRate: 1, release: 'shop@1', environment: 'test' });
    captureException(new RangeError('boom'));
    startSpan({ name: 'work' }, () => undefined);
    await serve(({ url, headers: { host } }, response) => {
      if (url === '/inner') response.end('hi');
      else http.get('http://' + host + '/inner', (inner) => inner.resume().on('end', () => response.end('hi')));
    });
    await close();`,
  says: new RegExp(
    [
      'Faultline [\\d.]+ started: sends to 127\\.0\\.0\\.1:\\d+, project 1; environment test, release shop@1; sampleRate 1, ' +
        'tracesSampleRate 1; OpenTelemetry was set up by init',
      // An error waits for its source lines, so that a transaction may come first.
      'integrations: .*HttpServer(?=.*error \\w{32} \\(RangeError\\) captured)',
      'transaction \\w{32} captured',
      '(event|transaction) \\w{32}: delivered, 200 in \\d+ ms',
      'closed: .*error 1 captured, 1 delivered, 0 discarded, 0 waiting',
    ].join('.*'),
    's',
  ),
};

const TWICE: readonly Mistake[] = [
  {
    name: 'two clients',
    main: `import { init } from 'faultline';
      for (const dsn of ['nonsense', 'other']) init({ dsn });`,
    says: /^faultline: dsn: invalid DSN: "nonsense".*\n$/,
  },
  {
    name: 'two copies',
    otherCopy: '0.1.1',
    main: `import { init } from 'faultline';
      import * as other from 'other-faultline';
      init({ dsn: 'nonsense' });
      other.init({ dsn: 'nonsense' });`,
    says: /^faultline: dsn: invalid DSN: "nonsense".*\n$/,
  },
  {
    name: 'worker threads',
    main: `import { Worker, isMainThread } from 'node:worker_threads';
      import { init } from 'faultline';
      init({ dsn: 'nonsense' });
      if (isMainThread) for (let i = 0; i < 2; i++) new Worker(new URL(import.meta.url));`,
    says: /^faultline: dsn: invalid DSN: "nonsense".*\n$/,
  },
  {
    name: 'threads that find it out at the same time',
    main: `import { Worker, isMainThread } from 'node:worker_threads';
      import { captureMessage, close, init } from 'faultline';
      init({ dsn: 'http://key@127.0.0.1:1/1', transportOptions: { store: false } });
      if (isMainThread) for (let i = 0; i < 2; i++) new Worker(new URL(import.meta.url));
      captureMessage('hello');
      await close(5000);`,
    says: /^faultline: The destination 127\.0\.0\.1:1 .*\n$/,
  },
  {
    name: 'a logger of the application, which hears it too',
    main: `import { diag, DiagLogLevel } from '@opentelemetry/api';
      import { init } from 'faultline';
      const print = (...all) => console.log(all.join(' '));
      diag.setLogger({ error: print, warn: print, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN);
      init({ dsn: 'nonsense' });`,
    says: /^faultline: dsn: invalid DSN: "nonsense".*\n$/,
  },
];

const QUIET: readonly App[] = [
  { name: 'quiet: true', main: capturing("dsn: 'nonsense', quiet: true, colour: 'red'") },
  {
    name: 'quiet: true, and captures in a copy of another major version',
    otherCopy: '1.0.0',
    main: `import { init } from 'faultline';
      import * as other from 'other-faultline';
      init({ dsn: process.env.DSN, quiet: true });
      other.captureMessage('lost');`,
  },
  { name: 'captures without init', main: `${LIVE} captureMessage('one');` },
  {
    name: 'quiet: true and an OpenTelemetry setup that comes after init',
    main: `import { init } from 'faultline';
      import { trace } from '@opentelemetry/api';
      import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
      init({ dsn: process.env.DSN, quiet: true });
      trace.setGlobalTracerProvider(new BasicTracerProvider());`,
  },
  { name: 'FAULTLINE_QUIET', main: capturing("dsn: 'nonsense', colour: 'red'"), env: { FAULTLINE_QUIET: 'true' } },
  {
    name: 'quiet: true and Faultline’s parts in a NodeSDK whose own exporter they replace',
    main: `import { init, openTelemetry } from 'faultline';
      import { NodeSDK } from '@opentelemetry/sdk-node';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true, quiet: true });
      new NodeSDK({ ...openTelemetry(), metricReaders: [], logRecordProcessors: [] }).start();`,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
  },
  { name: 'quiet: true, refused', project: 401, main: capturing('dsn: process.env.DSN, quiet: true') },
  { name: 'quiet: true, refused until the end', project: 500, main: capturing('dsn: process.env.DSN, quiet: true') },
  { name: 'enabled: false', main: capturing("dsn: 'nonsense', enabled: false, colour: 'red'") },
];

/** Correct applications, which print nothing. */
const CLEAN: readonly App[] = [
  { name: 'an ES module', main: capturing('dsn: process.env.DSN') },
  {
    name: 'a CommonJS module',
    isCommonJs: true,
    main: `const { captureException, init } = require('faultline');
      init({ dsn: process.env.DSN });
      captureException(new Error('boom'));`,
  },
  {
    name: 'one with tracing',
    main: `import { init, startSpan } from 'faultline';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, release: 'shop@1' });
      startSpan({ name: 'work' }, () => undefined);`,
  },
  {
    name: 'one beside an OpenTelemetry setup of its own',
    main: `import { NodeSDK } from '@opentelemetry/sdk-node';
      import { init, openTelemetry, startSpan } from 'faultline';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      new NodeSDK({ ...openTelemetry(), metricReaders: [], logRecordProcessors: [] }).start();
      startSpan({ name: 'work' }, () => undefined);`,
    env: { OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' },
  },
  {
    name: 'one whose OpenTelemetry setup comes two seconds after init',
    main: `import { NodeSDK } from '@opentelemetry/sdk-node';
      import { captureMessage, init, openTelemetry } from 'faultline';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      const sdk = new NodeSDK({ ...openTelemetry(), metricReaders: [], logRecordProcessors: [] });
      setTimeout(() => sdk.start(), 2000);
      captureMessage('ready');`,
  },
  {
    name: 'one that is started by faultline/register',
    main: `import { captureMessage } from 'faultline'; captureMessage('hello');`,
    files: { 'faultline.config.js': 'export default { dsn: process.env.DSN };' },
    nodeOptions: ['--import', 'faultline/register'],
  },
  {
    name: 'one with a worker thread',
    main: `import { Worker, isMainThread } from 'node:worker_threads';
      import { captureMessage, close, init } from 'faultline';
      init({ dsn: process.env.DSN });
      captureMessage('hello');
      if (isMainThread) new Worker(new URL(import.meta.url));
      await close(5000);`,
  },
  {
    name: 'an Express application',
    main: `import express from 'express';
      import { captureMessage, close, init } from 'faultline';
      init({ dsn: process.env.DSN, tracesSampleRate: 1 });
      const app = express();
      app.get('/', (_, response) => { captureMessage('hello'); response.send('hi'); });
      const server = app.listen(0, '127.0.0.1', async () => {
        await (await fetch('http://127.0.0.1:' + server.address().port)).text();
        server.close();
        await close(5000);
      });`,
  },
  {
    name: 'one whose own error handler captures after the answer',
    main: failingExpress(
      `app.use((error, _request, response, _next) => {
        response.status(500).end();
        setTimeout(() => captureException(error), 2);
      });`,
      20,
    ),
  },
  {
    name: 'one whose error handler leaves an error out',
    main: failingExpress(`setupExpressErrorHandler(app, { shouldHandleError: () => false });`),
  },
  {
    name: 'one whose logger captures errors in batches, outside of their requests',
    main: `import { captureException, init } from 'faultline';
      import http from 'node:http';
      init({ dsn: process.env.DSN });
      const errors = [];
      const timer = setInterval(() => errors.splice(0).forEach(captureException), 1500);
      const server = http.createServer((request, response) => {
        errors.push(new Error('one'));
        response.writeHead(500).end();
      });
      server.listen(0, '127.0.0.1', async () => {
        await (await fetch('http://127.0.0.1:' + server.address().port)).text();
        await new Promise((done) => setTimeout(done, 1800));
        clearInterval(timer);
        server.close();
      });`,
  },
  {
    name: 'one that answers with 500 on purpose, and says so',
    main: `import { captureMessage, httpServerIntegration, init } from 'faultline';
      import http from 'node:http';
      init({ dsn: process.env.DSN, integrations: [httpServerIntegration({ ignoreRequests: ['/broken'] })] });
      captureMessage('ready');
      const server = http.createServer((request, response) => response.writeHead(500).end());
      server.listen(0, '127.0.0.1', async () => {
        await (await fetch('http://127.0.0.1:' + server.address().port + '/broken')).text();
        server.close();
      });`,
  },
  {
    name: 'one that answers with 503 on purpose',
    main: failingExpress(`app.use((_error, _request, response, _next) => response.status(503).end());`),
  },
  {
    name: 'one that sends errors, beside an OpenTelemetry setup of its own',
    main: `import { NodeSDK } from '@opentelemetry/sdk-node';
      import { captureMessage, init, startSpan } from 'faultline';
      new NodeSDK({ spanProcessors: [], metricReaders: [], logRecordProcessors: [] }).start();
      init({ dsn: process.env.DSN });
      startSpan({ name: 'work' }, () => captureMessage('hello'));`,
    env: { OTEL_TRACES_EXPORTER: 'none' },
  },
  {
    name: 'one in hardened JavaScript, which has no shared memory',
    main: `delete globalThis.SharedArrayBuffer; delete globalThis.Atomics; ${capturing('dsn: process.env.DSN')}`,
  },
  {
    name: 'a script with the variables of a server that sets OpenTelemetry up',
    main: `import { captureMessage } from 'faultline'; captureMessage('hello');`,
    files: { 'faultline.config.js': 'export default { dsn: process.env.DSN, tracesSampleRate: 1 };' },
    env: { FAULTLINE_SKIP_OPEN_TELEMETRY_SETUP: 'true' },
    nodeOptions: ['--import', 'faultline/register'],
  },
  {
    name: 'the primary of a cluster whose workers set OpenTelemetry up',
    main: `import cluster from 'node:cluster';
      import { captureMessage, init, openTelemetry } from 'faultline';
      import { NodeSDK } from '@opentelemetry/sdk-node';
      init({ dsn: process.env.DSN, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
      captureMessage('hello');
      if (cluster.isPrimary) cluster.fork();
      else {
        new NodeSDK({ ...openTelemetry(), metricReaders: [], logRecordProcessors: [] }).start();
        setTimeout(() => process.disconnect(), 12_000);
      }`,
  },
  { name: 'a script that ends at once', main: `import { init } from 'faultline'; init({ dsn: process.env.DSN });` },
  { name: 'one without a DSN, on purpose', main: capturing('') },
  {
    name: 'one with an empty DSN, on purpose',
    main: capturing("dsn: ''"),
    env: { FAULTLINE_DSN: '', SENTRY_DSN: 'https://key@errors.example.com/1' },
  },
  { name: 'one that is turned off', main: capturing('dsn: process.env.DSN, enabled: false') },
];

const SENDS_NOTHING = new Set(CLEAN.slice(-4).map(({ name }) => name));

let runs: ReadonlyMap<string, AppRun>;
beforeAll(async () => {
  runs = await runApps([
    ...BY_DEFAULT,
    ...IN_DEBUG,
    ...SEEN_IN_REQUESTS,
    ...UNPATCHED,
    ...UNPATCHED.map(({ mended }) => mended),
    HEALTHY,
    ...TWICE,
    ...QUIET,
    ...CLEAN,
  ]);
}, ALL_MILLIS);

describe('one line on stderr names', () => {
  it.each(BY_DEFAULT)('$name', ({ name, says }) => {
    expect(runs.get(name)).toMatchObject({ status: 0, stdout: '', stderr: expect.stringMatching(says) });
  });
});

describe('debug: true names', () => {
  it.each([...IN_DEBUG, ...SEEN_IN_REQUESTS])('$name', ({ name, says }) => {
    expect(runs.get(name)).toMatchObject({ status: 0, stdout: '', stderr: expect.stringMatching(says) });
  });
});

describe('debug: true names, until the remedy', () => {
  it.each(UNPATCHED)('$name', ({ name, says, mended }) => {
    expect(runs.get(name)).toMatchObject({ status: 0, stdout: '', stderr: expect.stringMatching(says) });
    const { status, stderr } = runs.get(mended.name)!;
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('Faultline') });
    expect(stderr).not.toMatch(/no-loader-hook|instrumented-too-late/);
  });
});

it('debug: true shows the life of a healthy run, without secrets and without warnings', () => {
  const { status, stderr } = runs.get(HEALTHY.name)!;
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(HEALTHY.says) });
  expect(stderr).not.toMatch(/^\[(warn|error)\]|key\d+@/m);
});

describe('the line is written once with', () => {
  it.each(TWICE)('$name', ({ name, says }) => {
    expect(runs.get(name)).toMatchObject({ status: 0, stderr: expect.stringMatching(says) });
  });

  it('an application that logs diag, where both get it', () => {
    expect(runs.get('a logger of the application, which hears it too')?.stdout).toMatch(
      /^faultline\/init dsn: invalid/,
    );
  });
});

describe('no line is written with', () => {
  it.each(QUIET)('$name', ({ name }) => {
    expect(runs.get(name)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });
});

describe('a correct application prints nothing:', () => {
  it.each(CLEAN)('$name', ({ name }) => {
    const { accepted, ...run } = runs.get(name)!;
    expect(run).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(accepted > 0).toBe(!SENDS_NOTHING.has(name));
  });
});
