import * as imported from 'faultline';
import * as express from 'faultline/express';
import check from './check.cjs';
import required from './required.cjs';

check(imported, required, express).then(() => console.log('one instance'));
