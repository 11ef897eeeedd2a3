import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { type ClientOptions, captureMessage, getClient, getIsolationScope, init } from '../../../src/index.js';
import { consoleIntegration } from '../../../src/integrations/console/console.js';
import type { Breadcrumb } from '../../../src/model/event/breadcrumb.js';
import { growthOf } from '../../support/growth.js';
import { resetOpenTelemetry, tell } from '../../support/story.js';

/** Breadcrumbs that a story leaves; nothing of what it logs is written. */
async function crumbsOf(story: () => unknown, options: ClientOptions = {}): Promise<Breadcrumb[]> {
  const write = silence();
  let crumbs: Breadcrumb[] = [];
  try {
    await tell(
      { defaultIntegrations: false, integrations: [consoleIntegration()], ...options },
      async () => {
        await story();
        captureMessage('done');
      },
      ({ receiver }) => {
        crumbs = receiver.events[0]?.breadcrumbs ?? [];
      },
    );
  } finally {
    write.restore();
  }
  return crumbs;
}

/** The console under test is one that writes nowhere. */
function silence() {
  const lines: unknown[][] = [];
  const methods = ['debug', 'info', 'warn', 'error', 'log'] as const;
  const spies = methods.map((method) =>
    vi.spyOn(console, method).mockImplementation((...args) => void lines.push(args)),
  );
  return { lines, restore: () => spies.forEach((spy) => void spy.mockRestore()) };
}

it('only the methods of the option levels leave breadcrumbs', async () => {
  const story = () => {
    console.info('not kept');
    console.error('kept');
  };
  const crumbs = await crumbsOf(story, { integrations: [consoleIntegration({ levels: ['error'] })] });
  expect(crumbs.map(({ message }) => message)).toEqual(['kept']);
});

it.each([
  ['debug', 'debug'],
  ['info', 'info'],
  // `log` to hooks; on the wire what servers read it as.
  ['log', 'info'],
  ['warn', 'warning'],
  ['error', 'error'],
] as const)('console.%s leaves a breadcrumb of level %s', async (method, level) => {
  const [crumb] = await crumbsOf(() => console[method]('hello', 5));
  expect(crumb).toEqual({
    category: 'console',
    level,
    message: 'hello 5',
    data: { arguments: ['hello', 5], logger: 'console' },
    timestamp: expect.any(Number),
  });
});

it.each<[what: string, args: unknown[], message: string]>([
  ['a format', ['%s has %d', 'cart', 3], 'cart has 3'],
  ['an object', ['user', { id: 1, tags: ['a'] }], "user { id: 1, tags: [ 'a' ] }"],
  ['null, undefined and symbols', [null, undefined, Symbol('s')], 'null undefined Symbol(s)'],
  ['nothing', [], ''],
  ['a long text', ['x'.repeat(5000)], `${'x'.repeat(2000)}...`],
  ['many arguments', Array.from({ length: 30 }, (_, i) => i), Array.from({ length: 20 }, (_, i) => i).join(' ')],
])('the message is what the console writes: %s', async (_, args, message) => {
  const [crumb] = await crumbsOf(() => console.log(...args));
  expect(crumb?.message).toBe(message);
});

it('a breadcrumb holds no object that was logged, so that none is kept alive by it', async () => {
  const [crumb] = await crumbsOf(() => console.log({ big: Buffer.alloc(10) }, () => 1));
  expect(crumb?.data?.['arguments']).toEqual([expect.stringContaining('Buffer'), '[Function (anonymous)]']);
});

it('a long message is cut between characters, not within one', async () => {
  const [crumb] = await crumbsOf(() => console.log(`${'a'.repeat(1999)}🦊 and so on`));
  expect(crumb?.data?.['arguments']).toEqual([`${'a'.repeat(1999)}...`]);
  expect(crumb?.message).toMatch(/^a{1999}\.+$/);
});

it('console.assert leaves a breadcrumb only when the assertion fails', async () => {
  const crumbs = await crumbsOf(() => {
    console.assert(true, 'fine');
    console.assert(false, 'broken %s', 'x');
    console.assert(false);
  });
  expect(crumbs.map(({ message }) => message)).toEqual(['Assertion failed: broken x', 'Assertion failed']);
});

it('a method that calls another one leaves one breadcrumb', async () => {
  const crumbs = await crumbsOf(() => {
    console.trace('here');
    console.table([{ a: 1 }]);
  });
  expect(crumbs).toHaveLength(2);
  expect(crumbs[0]).toMatchObject({ level: 'info', message: 'here' });
});

it('what the application writes is passed on unchanged', async () => {
  const { lines, restore } = silence();
  const given = { a: 1 };
  await tell({ defaultIntegrations: false, integrations: [consoleIntegration()] }, () => console.log('%s', given, 2));
  restore();
  expect(lines).toEqual([['%s', given, 2]]);
  expect(lines[0]?.[1]).toBe(given);
});

it('a beforeBreadcrumb that writes to the console does not call itself', async () => {
  const beforeBreadcrumb = vi.fn((crumb: Breadcrumb) => {
    console.log('about to keep', crumb.message);
    return crumb;
  });
  const crumbs = await crumbsOf(() => console.log('once'), { beforeBreadcrumb });
  expect(crumbs.map(({ message }) => message)).toEqual(['once']);
  expect(beforeBreadcrumb).toHaveBeenCalledTimes(1);
  expect(beforeBreadcrumb.mock.calls[0]?.[0]).toMatchObject({ message: 'once' });
});

it('an object that throws when it is inspected costs its breadcrumb and nothing else', async () => {
  const hostile = {
    [Symbol.for('nodejs.util.inspect.custom')]() {
      throw new Error('no');
    },
  };
  const crumbs = await crumbsOf(() => {
    console.log(hostile);
    console.log('next');
  });
  expect(crumbs.map(({ message }) => message)).toEqual(['next']);
});

it('a method that the application has removed stays removed', async () => {
  const { debug } = console;
  Object.assign(console, { debug: undefined });
  try {
    const client = init({ defaultIntegrations: false, integrations: [consoleIntegration()], quiet: true });
    expect(console.debug).toBe(undefined);
    await client.close(0);
  } finally {
    Object.assign(console, { debug });
    resetOpenTelemetry();
  }
});

it('closing puts the methods back', async () => {
  const before = { ...console };
  await tell({ defaultIntegrations: false, integrations: [consoleIntegration()] }, () => {
    expect(console.log).not.toBe(before.log);
    expect([console.log.name, console.log.length]).toEqual([before.log.name, before.log.length]);
  });
  expect({ ...console }).toEqual(before);
});

it('a wrapper that was put over ours stays, and leads to the original without a breadcrumb', async () => {
  const { lines, restore } = silence();
  const original = console.log;
  const client = init({ defaultIntegrations: false, integrations: [consoleIntegration()] });
  const ours = console.log;
  console.log = (...args) => ours('over', ...args);
  await client.close();
  console.log('text');
  expect(lines).toEqual([['over', 'text']]);
  expect(getIsolationScope().getLastBreadcrumb()).toBeUndefined();
  console.log = original;
  restore();
  resetOpenTelemetry();
});

it.each<[what: string, args: unknown[], options: ClientOptions, message: string]>([
  [
    'members that are secrets by their name',
    [{ user: 'me', password: "it's", nested: [{ apiToken: { a: 1 } }] }],
    {},
    `{ user: 'me', password: "[Filtered]", nested: [ { apiToken: "[Filtered]" } ] }`,
  ],
  ['members that are personal', [{ email: 'me' }], {}, '{ email: "[Filtered]" }'],
  ['members that are personal, but may leave', [{ email: 'me' }], { sendDefaultPii: true }, "{ email: 'me' }"],
  ['the password of an address', ['connected to redis://:pw@db'], {}, 'connected to redis://[filtered]:[filtered]@db'],
])('a breadcrumb has %s without their values', async (_, args, options, message) => {
  const [crumb] = await crumbsOf(() => console.log(...args), options);
  expect(crumb?.message).toBe(message);
  expect(crumb?.data?.['arguments']).toEqual([message]);
});

it.each<[what: string, log: (secret: string) => unknown]>([
  ['a Map', (secret) => console.log(new Map([['password', secret]]))],
  ['a Map in an object', (secret) => console.log({ a: { b: new Map([['apiKey', secret]]) } })],
  ['parameters', (secret) => console.log(new URLSearchParams({ token: secret }))],
  [
    'a URL, whose parameters are printed twice',
    (secret) => console.log(new URL(`https://a.test/?token=${secret}&b=1`)),
  ],
  ['entries', (secret) => console.log(Object.entries({ password: secret, a: 1 }))],
  ['a name and a value', (secret) => console.log([{ name: 'password', value: secret }])],
  ['arguments', (secret) => console.log(['--password', secret])],
  ['JSON', (secret) => console.log('sent', JSON.stringify({ a: 1, password: secret }, null, 2))],
  ['headers', (secret) => console.log(new Headers({ authorization: secret }))],
  ['a form', (secret) => console.log(Object.assign(new FormData(), { password: secret }))],
  [
    'an instance of a class',
    (secret) =>
      console.log(
        new (class Login {
          readonly password = secret;
        })(),
      ),
  ],
  ['a format', (secret) => console.log('%o and %j', { password: secret }, { token: secret })],
  ['a table of objects', (secret) => console.table([{ user: 'me', password: secret }])],
  ['a table of lists', (secret) => console.table([['password', secret]])],
])('no secret leaves with what is logged: %s', async (_, log) => {
  const crumbs = await crumbsOf(() => log('x8Qz3vT6kW1'));
  expect(crumbs).toHaveLength(1);
  expect(JSON.stringify(crumbs)).not.toContain('x8Qz3vT6kW1');
});

it.each<[args: unknown[], message: string, kept: unknown[]]>([
  [['token:', 'x8Qz3vT6kW1'], 'token: [Filtered]', ['token:', '[Filtered]']],
  [
    ['the password is', 'x8Qz3vT6kW1', 'for', 'me'],
    'the password is [Filtered] for me',
    ['the password is', '[Filtered]', 'for', 'me'],
  ],
  [['password=%s of %s', 'x8Qz3vT6kW1', 'me'], 'password=[Filtered] of me', ['password=%s of %s', '[Filtered]', 'me']],
  [['AUTH', 'x8Qz3vT6kW1'], 'AUTH [Filtered]', ['AUTH', '[Filtered]']],
  [['your otp', 482_913], 'your otp [Filtered]', ['your otp', '[Filtered]']],
  [['tokens:', 482_913], 'tokens: 482913', ['tokens:', 482_913]],
  [['password', 'letmein'], 'password [Filtered]', ['password', '[Filtered]']],
  [['PASSWORD', 'letmein '], 'PASSWORD [Filtered]', ['PASSWORD', '[Filtered]']],
  [['PASS', 'src/a.test.js'], 'PASS src/a.test.js', ['PASS', 'src/a.test.js']],
  [['token', 'limit exceeded'], 'token limit exceeded', ['token', 'limit exceeded']],
  [['auth', 'google'], 'auth google', ['auth', 'google']],
  [['token', 'SIGNED_IN'], 'token SIGNED_IN', ['token', 'SIGNED_IN']],
  [['secret', 'prod/db'], 'secret prod/db', ['secret', 'prod/db']],
  [['secret', 'found'], 'secret found', ['secret', 'found']],
  [['user', 'bob', 'token ->', 'abcdefgh'], 'user bob token -> [Filtered]', ['user', 'bob', 'token ->', '[Filtered]']],
  [['password', ['letmein']], 'password [Filtered]', ['password', '[Filtered]']],
  [['apiKey', 12_345_678], 'apiKey [Filtered]', ['apiKey', '[Filtered]']],
  [['token', 'expired'], 'token expired', ['token', 'expired']],
  [['password', true], 'password true', ['password', true]],
  [['tokens', 5], 'tokens 5', ['tokens', 5]],
  [['token expired', 'for customer 5'], 'token expired for customer 5', ['token expired', 'for customer 5']],
])('an argument after the name of a credential leaves without it: %j', async (args, message, kept) => {
  const [crumb] = await crumbsOf(() => console.log(...args));
  expect(crumb).toMatchObject({ message, data: { arguments: kept } });
});

it.each<[what: string, log: (secret: string) => unknown]>([
  ['a URL object', (secret) => console.log({ config: { url: new URL(`https://a.test/?a=1&key=${secret}`) } })],
  ['parameters', (secret) => console.log(new URLSearchParams({ code: secret, state: '1' }))],
])('parameters are filtered by the names that they have in URLs: %s', async (_, log) => {
  const [crumb] = await crumbsOf(() => log('omUu1K9xQ2vT8sLw4bNzR7yEpA3d'));
  expect(JSON.stringify(crumb)).not.toContain('omUu1K9xQ2');
  expect(crumb?.message).toMatch(/'(?:a|state)' => '1'/);
});

it('what the filter matches leaves no breadcrumb', async () => {
  const integrations = [consoleIntegration({ filter: ['ping', /^GET \/health/] })];
  const crumbs = await crumbsOf(
    () => {
      console.log('a ping came');
      console.info('GET %s', '/health');
      console.log('kept');
    },
    { integrations },
  );
  expect(crumbs.map(({ message }) => message)).toEqual(['kept']);
});

it('a long message is cut before it is scrubbed', async () => {
  let growth = 0;
  await crumbsOf(() => {
    const log = (message: string) => {
      for (let i = 0; i < 20; i++) console.log(message);
    };
    growth = growthOf(2 ** 13, (size) => 'token=eyJaaaaaa-'.repeat(size), log);
  });
  expect(growth).toBeLessThan(4);
});

it('a breadcrumb has the time at which its message was logged', async () => {
  let between = 0;
  const crumbs = await crumbsOf(async () => {
    console.info('paid', 5);
    console.info({ paid: 5 });
    await sleep(5);
    between = Date.now() / 1000;
    await sleep(5);
  });
  expect(crumbs.map(({ message }) => message)).toEqual(['paid 5', '{ paid: 5 }']);
  for (const { timestamp } of crumbs) expect(timestamp).toBeLessThan(between);
});

it('whoever reads a breadcrumb reads it without credentials: hooks, handlers and the scope', async () => {
  const seen: (string | undefined)[] = [];
  const story = () => {
    console.info('password=hunter2');
    seen.push(getIsolationScope().getLastBreadcrumb()?.message);
    seen.push(getIsolationScope().getScopeData().breadcrumbs[0]?.message);
  };
  await crumbsOf(story);
  await crumbsOf(story, {
    beforeBreadcrumb(breadcrumb) {
      seen.push(breadcrumb.message);
      return breadcrumb;
    },
  });
  await crumbsOf(() => {
    getClient()?.on('beforeAddBreadcrumb', ({ message }) => void seen.push(message));
    story();
  });
  expect(seen).toEqual(Array(8).fill('password=[Filtered]'));
});
