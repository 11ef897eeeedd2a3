import { exec, execFile, execSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename } from 'node:fs/promises';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type SystemErrorOptions, systemErrorIntegration } from '../../src/integrations/system-error.js';
import type { Client } from '../../src/model/contracts.js';
import type { Event } from '../../src/model/event/event.js';

interface Given extends SystemErrorOptions {
  sendDefaultPii?: boolean;
  event?: Event;
}

function describeError(error: unknown, { sendDefaultPii = false, event, ...options }: Given = {}): Event {
  const given = event ?? { exception: { values: [{ type: 'Error', value: (error as Error).message }] } };
  const client = { settings: { sendDefaultPii } } as Client;
  return systemErrorIntegration(options).processEvent?.(given, { originalException: error }, client) as Event;
}

const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => expect.fail(),
    (error) => error,
  );
const messageOf = (event: Event) => event.exception?.values?.at(-1)?.value;

describe('a failed system call', () => {
  it('adds its fields as a context, without the path', async () => {
    const event = describeError(await failureOf(readFile('/none/secret.txt')));
    expect(event.contexts).toEqual({ node_system_error: { errno: -2, code: 'ENOENT', syscall: 'open' } });
    expect(messageOf(event)).toBe('ENOENT: no such file or directory, open');
  });

  it('with two paths loses both', async () => {
    const event = describeError(await failureOf(rename('/none/secret.txt', '/none/other.txt')));
    expect(JSON.stringify(event)).not.toMatch(/secret|other/);
    expect(messageOf(event)).toBe('ENOENT: no such file or directory, rename ->');
  });

  it('of a program loses its name and its arguments', async () => {
    const [error] = await once(spawn('no-such-program', ['--password=secret']), 'error');
    const event = describeError(error);
    expect(JSON.stringify(event)).not.toMatch(/secret|no-such-program/);
    expect(messageOf(event)).toBe('spawn ENOENT');
    expect(event.contexts).toEqual({ node_system_error: { errno: -2, code: 'ENOENT', syscall: 'spawn' } });
  });

  it('of a connection keeps address and port', async () => {
    const [error] = await once(connect(1, '127.0.0.1'), 'error');
    expect(describeError(error).contexts).toMatchObject({
      node_system_error: { code: 'ECONNREFUSED', syscall: 'connect', address: '127.0.0.1', port: 1 },
    });
  });

  it.each([{ sendDefaultPii: true }, { includePaths: true }])('keeps everything with %j', async (given) => {
    const event = describeError(await failureOf(readFile('/none/secret.txt')), given);
    expect(event.contexts?.['node_system_error']).toMatchObject({ path: '/none/secret.txt' });
    expect(messageOf(event)).toContain("open '/none/secret.txt'");
  });

  it('behind another error loses its path, too', async () => {
    const cause = await failureOf(readFile('/none/secret.txt'));
    const error = new Error('no settings in /none/secret.txt', { cause });
    const values = [{ value: cause.message }, { value: error.message }];
    const event = describeError(error, { event: { exception: { values } } });
    expect(event.exception?.values).toEqual([
      { value: 'ENOENT: no such file or directory, open' },
      { value: 'no settings in' },
    ]);
    expect(event.contexts).toBeUndefined();
  });

  it('does not tear a short name out of other words', () => {
    const error = Object.assign(new Error('spawn ls ENOENT, see also/else tools'), { errno: -2, path: 'ls' });
    expect(messageOf(describeError(error))).toBe('spawn ENOENT, see also/else tools');
  });

  it('loses its path in what a library has added, too', async () => {
    const error = await failureOf(readFile('/none/secret.txt'));
    const event = describeError(Object.assign(error, { options: { file: '/none/secret.txt', retries: 2 } }));
    expect(event.contexts?.['node_system_error']).toMatchObject({ options: { file: '', retries: 2 } });
  });

  it('leaves what the event says itself', async () => {
    const error = await failureOf(readFile('/none/secret.txt'));
    const event = describeError(error, {
      event: { contexts: { os: { name: 'x' }, node_system_error: { code: 'MINE' } } },
    });
    expect(event.contexts).toMatchObject({ os: { name: 'x' }, node_system_error: { code: 'MINE', syscall: 'open' } });
  });
});

describe('a command that failed', () => {
  it.each<[how: string, fail: () => Promise<unknown>]>([
    ['exec', () => promisify(exec)('cat --password=secret')],
    ['execFile', () => promisify(execFile)('cat', ['/none/secret'])],
    ['execSync', async () => execSync('cat /none/secret', { stdio: 'pipe' })],
  ])('of %s keeps the name of its program and what that complained of', async (_, fail) => {
    const error = await failureOf(fail());
    const message = messageOf(describeError(error));
    expect(message).toMatch(/^Command failed: cat\ncat: /);
    expect(message).not.toContain('secret');
    expect(messageOf(describeError(error, { sendDefaultPii: true }))).toContain('secret');
  });

  it('loses the variables that are set for it', async () => {
    const message = messageOf(describeError(await failureOf(promisify(exec)('PASSWORD=secret exit 3'))));
    expect(message).toBe('Command failed: PASSWORD\n');
  });

  it('behind another error loses its arguments, too', async () => {
    const cause = await failureOf(promisify(exec)('exit 3 secret'));
    const error = new Error(`no release: ${cause.message}`, { cause });
    expect(messageOf(describeError(error))).toBe('no release: Command failed: exit\n');
  });

  it('whose program is not there keeps neither its name nor its arguments', async () => {
    const event = describeError(await failureOf(promisify(execFile)('/none/program', ['--password=secret'])));
    expect(JSON.stringify(event)).not.toMatch(/secret|program/);
  });
});

describe('anything else', () => {
  it.each<[string, unknown]>([
    ['an ordinary error', new Error('boom')],
    ['an error with an unknown number', Object.assign(new Error('boom'), { errno: 12_345, path: '/secret' })],
    ['an error whose number is a text', Object.assign(new Error('boom'), { errno: 'ENOENT' })],
    ['an object with such a number', { errno: -2, message: 'boom' }],
    ['nothing', undefined],
  ])('is left as it is: %s', (_, error) => {
    const event: Event = { message: 'x' };
    expect(describeError(error, { event })).toBe(event);
    expect(event).toEqual({ message: 'x' });
  });
});

it('a member of an aggregate error, and the path of a socket, lose their paths', () => {
  const fields = { errno: -2, code: 'ENOENT', syscall: 'open' };
  const member = Object.assign(new Error("ENOENT, open '/none/secret.txt'"), { ...fields, path: '/none/secret.txt' });
  const socket = Object.assign(new Error('connect ENOENT /none/secret.sock'), {
    ...fields,
    address: '/none/secret.sock',
  });
  const values = [member, socket].map(({ message }) => ({ type: 'Error', value: message }));
  const error = new AggregateError([member, socket], 'both');
  expect(JSON.stringify(describeError(error, { event: { exception: { values } } }))).not.toContain('secret');
  expect(JSON.stringify(describeError(socket))).not.toContain('secret');
});
