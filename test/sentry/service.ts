// A service as one writes it for the peer's SDK, from its documentation. Only the import is another.
import * as Sentry from 'faultline/sentry';

Sentry.init({
  dsn: process.env['DSN'],
  release: 'shop@1.2.3',
  environment: 'staging',
  serverName: 'shop-1',
  sampleRate: 1,
  tracesSampler: ({ name, attributes, inheritOrSampleWith }) => {
    if (name.includes('/health')) return 0;
    if (attributes?.[Sentry.SEMANTIC_ATTRIBUTE_SENTRY_OP] === 'cron') return 1;
    return inheritOrSampleWith(1);
  },
  profilesSampleRate: 1,
  enableLogs: true,
  includeLocalVariables: false,
  sendDefaultPii: false,
  maxBreadcrumbs: 50,
  normalizeDepth: 5,
  attachStacktrace: true,
  ignoreErrors: ['of no interest'],
  ignoreTransactions: [/favicon/],
  initialScope: { tags: { region: 'eu' } },
  integrations: [
    Sentry.httpIntegration({ ignoreIncomingRequests: (path) => path.startsWith('/internal') }),
    Sentry.nativeNodeFetchIntegration(),
    Sentry.expressIntegration(),
    Sentry.postgresIntegration(),
    Sentry.prismaIntegration(),
    Sentry.captureConsoleIntegration({ levels: ['error'] }),
    Sentry.extraErrorDataIntegration({ depth: 4 }),
    Sentry.inboundFiltersIntegration({ ignoreErrors: ['of little interest'] }),
    Sentry.rewriteFramesIntegration({ root: process.cwd() }),
    Sentry.onUnhandledRejectionIntegration({ mode: 'warn' }),
    buildInfoIntegration('2026-01-01'),
  ],
  beforeSend(event, hint) {
    if (hint.originalException instanceof RangeError) return null;
    event.extra = { ...event.extra, seenByBeforeSend: true };
    return event;
  },
  beforeSendTransaction(event) {
    return event.transaction === 'dropped' ? null : event;
  },
  beforeBreadcrumb: (breadcrumb) => (breadcrumb.category === 'noise' ? null : breadcrumb),
  tracePropagationTargets: [/^http:\/\/127\.0\.0\.1/],
});

function buildInfoIntegration(builtAt: string): Parameters<typeof Sentry.addIntegration>[0] {
  let build = {};
  return {
    name: 'BuildInfo',
    setupOnce() {
      build = { builtAt };
    },
    afterAllSetup: (client) => void client.on('beforeSendEvent', () => undefined),
    processEvent: (event) => ({ ...event, contexts: { ...event.contexts, build } }),
  };
}

Sentry.addEventProcessor((event) => {
  event.tags = { ...event.tags, processed: 'yes' };
  return event;
});
Sentry.addIntegration({
  name: 'Late',
  preprocessEvent(event) {
    event.tags = { ...event.tags, late: 'yes' };
  },
});
Sentry.setTag('service', 'shop');
Sentry.setContext('machine', { size: 'large' });

const { default: express } = await import('express');
const app = express();
app.use(express.json());

app.use((request, _response, next) => {
  Sentry.setUser({ id: request.headers['x-user'] ?? 'anonymous' });
  Sentry.getIsolationScope().setTag('path', request.path);
  next();
});

app.get('/health', (_request, response) => response.json({ ok: true }));

app.get('/products/:id', async (request, response) => {
  Sentry.addBreadcrumb({ category: 'noise', message: 'not kept' });
  Sentry.addBreadcrumb({ category: 'product', message: 'loading', level: 'info', data: { id: request.params.id } });
  const product = await Sentry.startSpan(
    { name: 'SELECT product', op: 'db.query', attributes: { [Sentry.SEMANTIC_ATTRIBUTE_SENTRY_ORIGIN]: 'manual.db' } },
    async (span) => {
      span.setAttribute('db.rows', 1);
      Sentry.setMeasurement('rows', 1, 'none');
      return { id: request.params.id };
    },
  );
  Sentry.logger.info('product', { id: product.id });
  Sentry.metrics.count('products', 1);
  response.send(`<head>${Sentry.getTraceMetaTags()}</head>`);
});

app.post('/orders', (request, response) => {
  Sentry.withScope((scope) => {
    scope.setLevel('warning');
    scope.setFingerprint(['orders', String(request.body.kind)]);
    scope.setExtra('order', request.body);
    Sentry.captureMessage('an order is strange');
  });
  try {
    throw Object.assign(new Error('card declined'), { code: 'E_CARD', order: { id: 7 } });
  } catch (error) {
    const eventId = Sentry.captureException(error, { tags: { step: 'payment' }, extra: { attempt: 2 } });
    response.status(402).json({ eventId, last: Sentry.lastEventId() });
  }
});

app.get('/report', async (_request, response) => {
  const span = Sentry.startInactiveSpan({ name: 'render', op: 'render' });
  const headers = { 'sentry-trace': Sentry.spanToTraceHeader(span), baggage: Sentry.spanToBaggageHeader(span) };
  const { description, op } = Sentry.spanToJSON(span);
  span.setStatus(Sentry.getSpanStatusFromHttpCode(404));
  span.end();
  response.json({ headers, description, op, root: Sentry.spanToJSON(Sentry.getRootSpan(span)).description });
});

app.get('/logged', (_request, response) => {
  console.error('logged by console.error');
  Sentry.captureException(new Error('of no interest'));
  Sentry.captureException(new Error('of little interest'));
  Sentry.captureException(new RangeError('dropped by beforeSend'));
  response.end();
});

app.get('/broken', () => {
  throw new Error('thrown in a route');
});

Sentry.setupExpressErrorHandler(app, { shouldHandleError: (error) => error instanceof Error });

app.use((_error, _request, response, _next) => {
  response.status(500).end(`reported as ${Sentry.lastEventId()}`);
});

async function cleanUp(): Promise<number> {
  return Sentry.withMonitor('clean-up', () =>
    Sentry.startSpan({ name: 'clean up', op: 'cron', forceTransaction: true }, async () => 3),
  );
}

const checkInId = Sentry.captureCheckIn({ monitorSlug: 'clean-up', status: 'in_progress' });
Sentry.captureCheckIn({ checkInId, monitorSlug: 'clean-up', status: 'ok' });
await cleanUp();

await Sentry.continueTrace({ sentryTrace: `${'a'.repeat(32)}-${'b'.repeat(16)}-1`, baggage: undefined }, () =>
  Sentry.startSpan({ name: 'continued' }, () => Sentry.captureMessage('in a continued trace')),
);

const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  process.stdout.write(`${port}\n`);
});

process.once('message', async () => {
  server.close();
  await Sentry.flush(5000);
  await Sentry.close(2000);
  process.disconnect();
});
