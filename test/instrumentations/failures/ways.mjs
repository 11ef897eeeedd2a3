// What the applications share. The message of each error is the name of the way to fail.
import { AsyncResource } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { setTag, setUser } from 'faultline';

/** Called first in each request: the events of a way to fail are found by their tag. */
export function enter(url) {
  connection ??= new AsyncResource('connection');
  const way = url.split('/')[1];
  setUser({ id: `user of ${way}` });
  setTag('way', way);
}

/** Opened by the first request. */
let connection;

/** Calls back as the client of a database does that shares its connections. */
export const pooled = (callback) => setTimeout(() => connection.runInAsyncScope(callback), 5);

export const withStatus = (way, status) => Object.assign(new Error(way), { status, statusCode: status });

/** Rejects with one error for all requests, as a connection does that is opened once. */
export const connect = (way) => (connections[way] ??= Promise.reject(new Error(way)));
const connections = {};

export const later = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Fails after its first chunk. */
export function brokenStream(way, objectMode = true) {
  return Readable.from(
    (async function* () {
      yield 'first chunk ';
      await later();
      throw new Error(way);
    })(),
    { objectMode },
  );
}
