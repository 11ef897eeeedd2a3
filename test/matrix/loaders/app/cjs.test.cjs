const check = require('./check.cjs');

test('one instance', async () => {
  await check(require('faultline'), require('faultline'), require('faultline/express'));
});

test('the testing kit records an error', async () => {
  const { captureException } = require('faultline');
  const { anError, recordEvents, reset } = require('faultline/testing');
  const sent = recordEvents();
  captureException(new TypeError('broken'));
  await sent.next('error', 'broken');
  expect(sent.errors).toEqual([anError({ type: 'TypeError', value: 'broken' })]);
  await reset();
});
