import { describe, expect, it } from 'vitest';
import { captureException, getCurrentScope } from '../../src/index.js';
import { type ExtraErrorDataOptions, extraErrorDataIntegration } from '../../src/integrations/extra-error-data.js';
import type { Client } from '../../src/model/contracts.js';
import type { Contexts, Event } from '../../src/model/event/event.js';
import { tell } from '../support/story.js';

function contextsOf(
  originalException: unknown,
  options?: ExtraErrorDataOptions,
  event: Event = {},
): Contexts | undefined {
  const { processEvent } = extraErrorDataIntegration(options);
  return (processEvent!(event, { originalException }, { settings: { sendDefaultPii: false } } as Client) as Event)
    .contexts;
}

class PaymentError extends Error {
  override name = 'PaymentError';
}

it('what the application put on an error arrives as a context named after the error', async () => {
  await tell(
    { defaultIntegrations: false, integrations: [extraErrorDataIntegration()] },
    () => {
      captureException(Object.assign(new PaymentError('declined'), { orderId: 7, card: { network: 'x' } }));
    },
    ({ receiver }) => {
      expect(receiver.events[0]?.contexts['PaymentError']).toEqual({ orderId: 7, card: { network: 'x' } });
      expect(receiver.events[0]?.contexts.trace.trace_id).toBeDefined();
    },
  );
});

it('a context of the scope with that name is completed, not replaced', async () => {
  await tell(
    { defaultIntegrations: false, integrations: [extraErrorDataIntegration()] },
    () => {
      getCurrentScope().setContext('Error', { code: 'of the scope' });
      captureException(Object.assign(new Error('x'), { code: 'of the error', port: 1 }));
    },
    ({ receiver }) => expect(receiver.events[0]?.contexts['Error']).toEqual({ code: 'of the scope', port: 1 }),
  );
});

const withToJSON = () => Object.assign(new Error('x'), { a: 1, toJSON: () => ({ a: 2, b: 3 }) });

it.each<[what: string, error: unknown, contexts: Contexts | undefined, options?: ExtraErrorDataOptions]>([
  ['nothing of an error without data', new Error('x'), undefined],
  ['nothing of what is no error', { a: 1 }, undefined],
  ['not what all errors have', Object.assign(new Error('x'), { line: 1, fileName: 'f', stack: 's' }), undefined],
  ['the cause', new Error('x', { cause: 'c' }), { Error: { cause: 'c' } }],
  [
    'a cause that is an error as text',
    new Error('x', { cause: new TypeError('y') }),
    { Error: { cause: 'TypeError: y' } },
  ],
  ['no cause when told so', new Error('x', { cause: 'c' }), undefined, { captureErrorCause: false }],
  ['the result of toJSON', withToJSON(), { Error: { a: 2, b: 3 } }],
  ['no result of toJSON when told so', withToJSON(), { Error: { a: 1 } }, { includeToJSON: false }],
  ['nothing of a toJSON that returns a text', Object.assign(new Error('x'), { toJSON: () => 'text' }), undefined],
  ['nothing that would hide the trace', Object.assign(new Error('x'), { name: 'trace', a: 1 }), undefined],
])('takes %s', (_, error, contexts, options) => {
  expect(contextsOf(error, options)).toEqual(contexts);
});

it('keeps three levels by default, whatever normalizeDepth says', async () => {
  const nested = () => Object.assign(new Error('x'), { a: { b: { c: 1, d: { e: 2 } } } });
  const play = async (options: ExtraErrorDataOptions | undefined, normalizeDepth: number) => {
    let context: unknown;
    await tell(
      { defaultIntegrations: false, integrations: [extraErrorDataIntegration(options)], normalizeDepth },
      () => captureException(nested()),
      ({ receiver }) => {
        context = receiver.events[0]?.contexts['Error'];
      },
    );
    return context;
  };
  for (const normalizeDepth of [1, 3, 10]) {
    expect(await play(undefined, normalizeDepth)).toEqual({ a: { b: { c: 1, d: '[Object]' } } });
    expect(await play({ depth: 4 }, normalizeDepth)).toEqual({ a: { b: { c: 1, d: { e: 2 } } } });
    expect(await play({ depth: 1 }, normalizeDepth)).toEqual({ a: '[Object]' });
  }
});

it('describes a cause that is an error by its data', () => {
  const cause = Object.assign(new TypeError('y'), { port: 1, password: 'hunter2' });
  const context = { Error: { cause: { TypeError: { port: 1, password: '[Filtered]' } } } };
  expect(contextsOf(new Error('x', { cause }))).toEqual(context);
});

it('credentials in instances of classes, maps and deep objects are filtered', () => {
  class Config {
    password = 'hunter2';
  }
  const deep = { a: { b: { c: { password: 'hunter2' } } } };
  const error = Object.assign(new Error('x'), { config: new Config(), deep, inner: new Error('password=hunter2') });
  for (const depth of [2, 3, 6, 10]) expect(JSON.stringify(contextsOf(error, { depth }))).not.toContain('hunter2');
});

it('a class without a name of its own gives the name of its constructor', () => {
  class Nameless extends Error {}
  const error = Object.assign(new Nameless('x'), { name: '', a: 1 });
  expect(contextsOf(error)).toEqual({ Nameless: { a: 1 } });
});

it('a name may be that of the prototype', () => {
  const contexts = contextsOf(Object.assign(new Error('x'), { name: '__proto__', a: 1 }));
  expect(Object.keys(contexts!)).toEqual(['__proto__']);
});

it('takes 100 properties at most', () => {
  const error = Object.assign(new Error('x'), Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`p${i}`, i])));
  expect(Object.keys(contextsOf(error)!['Error']!)).toHaveLength(100);
});

it('getters and a toJSON that throw cost themselves only', () => {
  const error = Object.assign(new Error('x'), {
    a: 1,
    toJSON() {
      throw new Error('no');
    },
  });
  Object.defineProperty(error, 'b', {
    enumerable: true,
    get() {
      throw new Error('no');
    },
  });
  expect(contextsOf(error)).toEqual({ Error: { a: 1 } });
});

it('a proxy that refuses everything is left alone', () => {
  const refuse = () => {
    throw new Error('no');
  };
  const error = new Proxy(new Error('x'), { get: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse });
  expect(contextsOf(error)).toBeUndefined();
});

it('transactions are left alone', () => {
  const error = Object.assign(new Error('x'), { a: 1 });
  expect(contextsOf(error, {}, { type: 'transaction' })).toBeUndefined();
});

it('credentials on an error are filtered, by their names and looks', () => {
  const error = Object.assign(new Error('x'), {
    password: 'hunter2',
    config: { headers: [{ authorization: 'Basic abc' }], url: 'https://user:hunter2@host/' },
    id: 7,
  });
  const context = contextsOf(error, { depth: 4 })?.['Error'];
  expect(context).toMatchObject({
    id: 7,
    password: '[Filtered]',
    config: { headers: [{ authorization: '[Filtered]' }] },
  });
  expect(JSON.stringify(context)).not.toContain('hunter2');
});

it('the path of a system error stays away, also that of a cause', () => {
  const cause = Object.assign(new Error("ENOENT: no such file, open '/home/ada/x'"), {
    errno: -2,
    code: 'ENOENT',
    path: '/home/ada/x',
  });
  expect(contextsOf(cause)).toEqual({ Error: { errno: -2, code: 'ENOENT' } });
  expect(contextsOf(new Error('failed', { cause }))).toEqual({
    Error: { cause: { Error: { errno: -2, code: 'ENOENT' } } },
  });
});

it('the password in the command that Redis has refused is filtered', () => {
  const error = Object.assign(new Error('WRONGPASS'), { command: { name: 'auth', args: ['default', 'x8Qz3vT6kW1'] } });
  expect(contextsOf(error)?.['Error']).toEqual({ command: { name: 'auth', args: '[Filtered]' } });
  const hello = { name: 'hello', args: ['3', 'AUTH', 'default', 'sunflower'] };
  expect(contextsOf(Object.assign(new Error('x'), { command: hello }))?.['Error']).toEqual({
    command: { name: 'hello', args: '[Filtered]' },
  });
});

describe('paths of system errors do not come back', () => {
  const path = '/home/ann/tax.pdf';
  const system = { errno: -2, code: 'ENOENT', syscall: `spawn ${path}` };
  const cases: [string, object][] = [
    ['as the name of a program', { ...system, path }],
    ['under another name', { ...system, path, toJSON: () => ({ where: path, list: [`in ${path}`] }) }],
    ['of a file that is watched', { ...system, filename: path }],
    ['of a socket', { ...system, address: path }],
    ['of a cause', { cause: Object.assign(new Error('x'), { ...system, path }), note: path }],
    ['of a member of an aggregate error', { errors: [Object.assign(new Error('x'), { ...system, path })], note: path }],
  ];
  it.each(cases)('%s', (_, members) => {
    expect(JSON.stringify(contextsOf(Object.assign(new Error('x'), members)))).not.toContain('tax.pdf');
  });
});

it('what a value is may be told below the last level that is kept', () => {
  const issue = { path: ['password'], received: 'letmein', code: 'invalid' };
  const error = Object.assign(new Error('x'), {
    issues: [issue],
    input: { nested: { path: ['token'], input: 'letmein' } },
  });
  for (const depth of [2, 3, 4])
    expect(JSON.stringify(contextsOf(error, { depth })), `${depth}`).not.toContain('letmein');
  expect(contextsOf(error)?.['Error']).toMatchObject({ issues: [{ path: '[Array]', received: '[Filtered]' }] });
});
