// A service on `node:http` alone, without a framework or an instrumentation of OTel: `init` makes the spans.
import http from 'node:http';
import { captureException, close, getClient, init, setTag, startSpan } from 'faultline';
import { announce } from './announce.mjs';

init({ dsn: process.env.DSN, tracesSampleRate: 1, shutdownTimeout: 5000 });

const server = http.createServer(async (request, response) => {
  const [, action, id] = request.url.split('/');
  if (action === 'work') await work(id);
  if (action === 'fail') {
    captureException(new Error(`failed ${id}`));
    response.statusCode = 500;
  }
  response.end(action);
});

async function work(id) {
  setTag('id', id);
  await startSpan({ name: 'load', op: 'db.query' }, () => new Promise((resolve) => setTimeout(resolve, id % 5)));
  await (await fetch(`${own()}/fetched/${id}`)).text();
  await new Promise((resolve, reject) => {
    http.get(`${own()}/got/${id}`, (response) => response.resume().on('end', resolve)).on('error', reject);
  });
}

const own = () => `http://127.0.0.1:${server.address().port}`;

server.listen(0, '127.0.0.1', () => announce(server, { close, getClient }));
