import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPort } from '../support/find-port.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

const HERE = import.meta.dirname;

/** Applications as the documentation of the peer's SDK tells people to write them. */
const APPS = [
  {
    file: 'express.cjs',
    route: 'GET /users/:id',
    missing: ['expressIntegration', 'metrics.count', 'the option profilesSampleRate'],
    mechanism: 'auto.middleware.express',
  },
  {
    file: 'fastify.mjs',
    route: 'GET /users/:id',
    missing: ['logger.info', 'the option enableLogs'],
    mechanism: 'auto.middleware.fastify',
  },
  {
    file: 'koa.mjs',
    route: 'GET /users/:id',
    missing: ['the option enableLogs', 'withMonitor'],
    mechanism: 'auto.middleware.koa',
  },
  {
    file: 'hapi.mjs',
    route: 'GET /users/{id}',
    missing: ['prismaIntegration', 'the option enableLogs'],
    mechanism: 'auto.middleware.hapi',
  },
  {
    file: 'hono.mjs',
    route: 'GET /users/:id',
    missing: ['nodeCronIntegration', 'the option enableLogs'],
    mechanism: 'auto.middleware.hono',
  },
  {
    file: 'node-http.mjs',
    route: 'GET /users/7',
    missing: ['metrics.gauge', 'the option enableLogs'],
    mechanism: 'generic',
  },
];

describe('an application of the peer, with another import', () => {
  let folder: string;

  beforeAll(() => {
    // Beside the packages of the applications.
    folder = mkdtempSync(join(HERE, 'tmp-'));
    for (const file of readdirSync(join(HERE, 'peer'))) {
      const source = readFileSync(join(HERE, 'peer', file), 'utf8');
      writeFileSync(join(folder, file), source.replace("'@sentry/node'", "'faultline/sentry'"));
    }
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  describe.each(APPS)('$file', ({ file, route, missing, mechanism }) => {
    let receiver: Receiver;
    let stderr = '';
    let statusCodes: number[];
    const answers: string[] = [];

    beforeAll(async () => {
      receiver = await startReceiver();
      const port = String(await findPort());
      const preload = file.endsWith('.cjs') ? [] : ['--import', './instrument.mjs'];
      const app: ChildProcess = spawn(process.execPath, [...preload, file], {
        cwd: folder,
        env: { ...process.env, SENTRY_DSN: receiver.dsn, PORT: port },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      app.stderr!.on('data', (chunk) => {
        stderr += chunk;
      });
      await Promise.race([once(app.stdout!, 'data'), once(app, 'exit')]);
      statusCodes = [];
      for (const path of ['/users/7', '/caught', '/debug-sentry', '/missing']) {
        const response = await fetch(`http://127.0.0.1:${port}${path}`);
        statusCodes.push(response.status);
        answers.push(await response.text());
      }
      app.kill('SIGTERM');
      await once(app, 'exit');
    });

    afterAll(() => receiver.close());

    it('answers as it does with the SDK of the peer', () => {
      expect({ statusCodes, stderr }).toMatchObject({ statusCodes: [200, 200, 500, 404] });
      expect(JSON.parse(answers[0]!)).toEqual({ name: 'Ada' });
    });

    it('sends its errors once each, with the request, the tags and the mechanism', () => {
      const errors = receiver.events.map(({ exception, transaction, tags, request }) => {
        const { value, mechanism: by } = exception.values.at(-1)!;
        return [value, transaction, tags?.['step'], by.type, new URL(request.url).pathname];
      });
      const name = file === 'node-http.mjs' ? 'node:http' : file[0]!.toUpperCase() + file.slice(1, -4);
      expect(errors.sort()).toEqual([
        ['My first Sentry error!', 'GET /debug-sentry', undefined, mechanism, '/debug-sentry'],
        [`caught in ${name}`, 'GET /caught', 'checkout', 'generic', '/caught'],
      ]);
    });

    it('sends one transaction for each request, named by its route, with its spans', () => {
      const names = receiver.transactions.map(({ transaction }) => transaction);
      expect(names).toHaveLength(4);
      expect(names).toEqual(expect.arrayContaining([route, 'GET /caught', 'GET /debug-sentry']));
      const ofUser = receiver.transactions.find(({ transaction }) => transaction === route)!;
      expect(ofUser.user.id).toBe('7');
      expect(ofUser.spans).toMatchObject([{ op: 'db', description: 'load user' }]);
    });

    it('says once, by name, what is missing', () => {
      const said = [...stderr.matchAll(/faultline\/sentry (.+?) has no effect/g)].map(([, name]) => name);
      expect(said.sort()).toEqual(missing);
    });
  });
});
