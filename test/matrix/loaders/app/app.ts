import * as imported from 'faultline';
import * as express from 'faultline/express';

type Faultline = typeof imported;
const check: (
  imported: Faultline,
  required: Faultline,
  middleware: typeof express,
) => Promise<void> = require('./check.cjs');
const required: Faultline = require('faultline');

export const checked = import('faultline')
  .then((importedLater) => {
    if (importedLater.init !== imported.init) throw new Error('two instances');
    return check(imported, required, express);
  })
  .then(() => console.log('one instance'));
