// Runs before an application: Faultline, and no instrumentation of OTel.
import { init } from 'faultline';

init({ dsn: process.env.DSN, tracesSampleRate: 1 });
