import * as Sentry from '@sentry/node';

Sentry.init({
  dsn: process.env.SENTRY_DSN,
  environment: 'production',
  debug: true,
  tracesSampleRate: 1.0,
  sendDefaultPii: true,
  enableLogs: true,
});
