/**
 * Starts Faultline before the application: `node --import faultline/register app.js`. Options come from the
 * `FAULTLINE_*` environment variables.
 */
import { init } from './init.js';

init();
