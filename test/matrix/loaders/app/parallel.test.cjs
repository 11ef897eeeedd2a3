const { createServer } = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');
const { captureException, setTag, startSpan } = require('faultline');
const { anError, recordEvents, reset } = require('faultline/testing');

// Jest starts concurrent tests before its hooks.
const sent = recordEvents();
const server = createServer((request, response) => {
  captureException(new Error(`in the server, of ${request.url}`));
  response.end();
});
const listening = new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await reset();
});

test.concurrent.each(Array.from({ length: 1000 }, (_, id) => id))('test %i sees its own errors only', async (id) => {
  await listening;
  await sent.isolated(async (own) => {
    setTag('test', id);
    await sleep(id % 5);
    const isAsking = id % 10 === 0;
    if (isAsking) {
      const url = `http://127.0.0.1:${server.address().port}/${id}`;
      await startSpan({ name: 'request' }, () => fetch(url).then((response) => response.text()));
      await own.next('error', `in the server, of /${id}`);
    }
    captureException(new Error(`broken ${id}`));
    await own.next('error', `broken ${id}`);
    expect(own.errors).toContainEqual(anError({ value: `broken ${id}`, tags: { test: String(id) } }));
    expect(own.errors).toHaveLength(isAsking ? 2 : 1);
  });
});
