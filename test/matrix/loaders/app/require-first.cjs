const required = require('faultline');
const check = require('./check.cjs');

module.exports = import('faultline')
  .then((imported) => check(imported, required, require('faultline/express')))
  .then(() => console.log('one instance'));
