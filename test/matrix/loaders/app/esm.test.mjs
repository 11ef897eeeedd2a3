import { createRequire } from 'node:module';
import * as imported from 'faultline';
import * as express from 'faultline/express';

const require = createRequire(import.meta.url);

test('one instance', async () => {
  await require('./check.cjs')(imported, require('faultline'), express);
});
