const check = require('./check.cjs');

test('one instance', async () => {
  await check(require('faultline'), require('faultline'), require('faultline/express'));
});
