import threads = require('node:worker_threads');

/**
 * `node --require faultline/register`. With `module.register()`, Node runs preloads in the thread of its module hooks too,
 * which cannot load ES modules by `require` and runs no application. It is left alone.
 */

try {
  // Node 20 does not have it.
  if (!(threads as { isInternalThread?: boolean }).isInternalThread) require('./register.js');
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_METHOD_NOT_IMPLEMENTED') throw error;
}
