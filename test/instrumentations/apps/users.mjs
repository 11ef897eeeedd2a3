// What all the applications do, whatever framework they are written in.
import { setTimeout as sleep } from 'node:timers/promises';
import { close, getClient, getTraceData, setTag, setUser, startSpan } from 'faultline';
import { announce } from '../../support/services/announce.mjs';

export function identify(id) {
  setUser({ id: `user-${id}` });
  setTag('user', id);
}

/** Takes a while, in which other requests come in. */
export async function loadUser(id) {
  identify(id);
  await startSpan({ name: 'load', op: 'db.query' }, () => sleep(Number(id) % 7));
  return { id, baggage: getTraceData().baggage };
}

export async function failToLoad(id) {
  await loadUser(id);
  await sleep(Number(id) % 3);
  throw new Error(`no user ${id}`);
}

const servers = [];

/** Says where the servers listen once all `APPS` do, and lets go of them when asked to. */
export function announceServer(server, end) {
  servers.push(server);
  if (servers.length === Number(process.env.APPS ?? 1)) announce(servers, { close, getClient }, end);
}

/** @returns how many applications listen */
export const countServers = () => servers.length;
