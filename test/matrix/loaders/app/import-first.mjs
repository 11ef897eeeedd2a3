import { createRequire } from 'node:module';
import * as imported from 'faultline';
import * as express from 'faultline/express';
import check from './check.cjs';

await check(imported, createRequire(import.meta.url)('faultline'), express);
console.log('one instance');
