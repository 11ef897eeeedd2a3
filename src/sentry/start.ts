// The entry `faultline/sentry/init`: starts the SDK before the application, with the `SENTRY_*` variables.
import { init } from './init.js';

init();
