import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as Sentry from '../../src/sentry/sentry.js';
import { reset } from '../../src/testing/testing.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

let own: Receiver;
let other: Receiver;
const further: Sentry.NodeClient[] = [];

beforeEach(async () => {
  [own, other] = await Promise.all([startReceiver(), startReceiver()]);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all([Sentry.close(0), ...further.splice(0).map((client) => client.close(0))]);
  await reset();
  await Promise.all([own.close(), other.close()]);
});

/** As the documentation of the peer makes a second client. */
function createSecond(options: Sentry.NodeOptions = {}): { client: Sentry.NodeClient; scope: Sentry.Scope } {
  const integrations = Sentry.getDefaultIntegrations({}).filter(({ name }) => !/^On|Console|Process/.test(name));
  const client = new Sentry.NodeClient({
    dsn: other.dsn,
    transport: Sentry.makeNodeTransport,
    stackParser: Sentry.defaultStackParser,
    integrations,
    ...options,
  });
  const scope = new Sentry.Scope();
  scope.setClient(client);
  client.init();
  further.push(client);
  return { client, scope };
}

it('a further client sends what its scope captures to its own destination, with its own options', async () => {
  const main = Sentry.init({ dsn: own.dsn, defaultIntegrations: false });
  const { client, scope } = createSecond({
    environment: 'plugin',
    ignoreErrors: ['ignored'],
    beforeSend: (event) => ({ ...event, tags: { ...event.tags, seen: 'yes' } }),
  });
  scope.setTag('owner', 'plugin');
  scope.captureException(new Error('of the plugin'));
  scope.captureException(new Error('ignored'));
  Sentry.captureException(new Error('of the application'));
  await Promise.all([main.flush(), client.flush()]);

  expect(other.events).toMatchObject([
    {
      environment: 'plugin',
      tags: { owner: 'plugin', seen: 'yes' },
      exception: { values: [{ value: 'of the plugin', stacktrace: { frames: expect.any(Array) } }] },
    },
  ]);
  expect(own.events).toMatchObject([{ exception: { values: [{ value: 'of the application' }] } }]);
  expect(Sentry.getClient()).toBe(main);
  expect([main, client].every((one) => one instanceof Sentry.NodeClient)).toBe(true);
  expect(await client.close()).toBe(true);
});

it('a further client reads no DSN from the environment', () => {
  vi.stubEnv('SENTRY_DSN', own.dsn);
  vi.stubEnv('FAULTLINE_DSN', own.dsn);
  const { client } = createSecond({ dsn: undefined });
  expect(client.getDsn()).toBeUndefined();
});

it('a further client does not store what is unsent where a variable of the application says', async () => {
  const [named, temporary] = ['named', 'temporary'].map((name) => mkdtempSync(join(tmpdir(), `faultline-${name}-`)));
  vi.stubEnv('FAULTLINE_STORE_DIR', named);
  vi.stubEnv('TMPDIR', temporary);
  const { client } = createSecond({ dsn: 'http://key@127.0.0.1:1/1' });
  client.captureMessage('unsent');
  await client.close(0);
  const counts = [named, temporary].map((directory) => readdirSync(directory!).length);
  vi.unstubAllEnvs();
  for (const directory of [named, temporary]) rmSync(directory!, { recursive: true });
  expect(counts).toEqual([0, 1]);
});

it('a client is set up once, by init or by the method init', () => {
  const setup = vi.fn();
  const afterAllSetup = vi.fn();
  const integration = { name: 'Mine', setup, afterAllSetup };
  const { client } = createSecond({ integrations: [integration] });
  client.init();
  expect([setup.mock.calls, afterAllSetup.mock.calls]).toEqual([[[client]], [[client]]]);

  const main = Sentry.init({ dsn: own.dsn, defaultIntegrations: false, integrations: [integration] });
  main.init();
  expect(setup.mock.calls).toEqual([[client], [main]]);
});
