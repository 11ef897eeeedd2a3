import * as imported from 'faultline';
import * as express from 'faultline/express';

declare function test(name: string, body: () => Promise<void>): void;

test('one instance', async () => {
  await require('./check.cjs')(imported, require('faultline'), express);
});
