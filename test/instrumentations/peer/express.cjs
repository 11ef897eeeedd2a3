const Sentry = require('@sentry/node');

Sentry.init({
  dsn: process.env.SENTRY_DSN,
  debug: true,
  integrations: [Sentry.httpIntegration({ breadcrumbs: true }), Sentry.expressIntegration()],
  tracesSampleRate: 1.0,
  profilesSampleRate: 1.0,
  beforeSend: (event) => (event.level === 'debug' ? null : event),
});

const express = require('express');
const app = express();

app.get('/users/:id', async (request, response) => {
  Sentry.setUser({ id: request.params.id });
  const name = await Sentry.startSpan({ op: 'db', name: 'load user' }, async () => 'Ada');
  Sentry.metrics.count('users', 1);
  response.json({ name });
});

app.get('/caught', (_request, response) => {
  Sentry.withScope((scope) => {
    scope.setTag('step', 'checkout');
    Sentry.captureException(new Error('caught in Express'));
  });
  response.json({ ok: true });
});

app.get('/debug-sentry', () => {
  throw new Error('My first Sentry error!');
});

app.get('/missing', () => {
  throw Object.assign(new Error('not found'), { status: 404 });
});

Sentry.setupExpressErrorHandler(app);

app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).end(`${response.sentry}\n`);
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
