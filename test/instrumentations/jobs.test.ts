import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { startService, stopAndBalance } from '../support/services/start-service.js';
import { startPostgres } from './servers/postgres.mjs';

const FAILS = ['rejection', 'span', 'string', 'sync'];

/** BullMQ needs a Redis server: `npm run test:bullmq` installs it and starts one. Its first job is tried twice, and fails twice. */
const REDIS_URL = process.env['REDIS_URL'];
const BULLMQ_FOLDER = new URL('../bullmq/package.json', import.meta.url);
const BULLMQ = [
  { library: 'bullmq', packageName: 'bullmq5', fails: [...FAILS, 'sync'] },
  { library: 'bullmq', packageName: 'bullmq', fails: [...FAILS, 'sync'] },
];

/** All jobs of a queue have its name. */
const IS_QUEUE = new Set(['pg-boss', 'bullmq']);

describe.each<{ library: string; packageName: string; fails?: string[] }>([
  { library: 'croner', packageName: 'croner' },
  { library: 'croner', packageName: 'croner10' },
  { library: 'node-cron', packageName: 'node-cron' },
  { library: 'node-cron', packageName: 'node-cron3' },
  { library: 'pg-boss', packageName: 'pg-boss' },
  ...(REDIS_URL ? BULLMQ : []),
])('jobs of $packageName', ({ library, packageName, fails = FAILS }) => {
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    const database = library === 'pg-boss' ? await startPostgres() : undefined;
    const PACKAGE = library === 'bullmq' ? createRequire(BULLMQ_FOLDER).resolve(packageName) : packageName;
    const env = { DSN: receiver.dsn, LIBRARY: library, PACKAGE, URL: database?.url ?? REDIS_URL ?? '' };
    const service = await startService(env, { file: new URL('apps/jobs.mjs', import.meta.url) });
    for (let i = 0; i < 300 && receiver.events.length < fails.length; i++) await sleep(50);
    await stopAndBalance(service, receiver);
    await database?.close();
  });

  afterAll(() => receiver.close());

  it('are captured once where they fail', () => {
    expect(receiver.events.map(({ exception }) => exception.values.at(-1)!.value).sort()).toEqual(fails);
  });

  it('have scopes, a name and a trace of their own', () => {
    const named = receiver.events.map(({ tags, transaction, exception }) => [
      tags['way'],
      transaction,
      exception.values.at(-1)!.value,
    ]);
    expect(named.sort()).toEqual(fails.map((way) => [way, IS_QUEUE.has(library) ? 'mails' : way, way]));
    expect(new Set(receiver.events.map(({ contexts }) => contexts['trace']!['trace_id'])).size).toBe(fails.length);
  });
});
