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

test('1,000 concurrent tests see their own errors only', async () => {
  const { captureException } = require('faultline');
  const { recordEvents, reset } = require('faultline/testing');
  const sent = recordEvents();
  const run = (id) =>
    sent.isolated(async (own) => {
      captureException(new Error(`broken ${id}`));
      await own.next('error', `broken ${id}`);
      expect(own.errors).toHaveLength(1);
    });
  await Promise.all(Array.from({ length: 1000 }, (_, id) => run(id)));
  await reset();
});
