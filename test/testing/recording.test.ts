import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  addBreadcrumb,
  captureException,
  captureFeedback,
  captureMessage,
  endSession,
  init,
  setTag,
  setUser,
  startSession,
  startSpan,
} from '../../src/index.js';
import { anError, aTransaction, recordEvents, reset } from '../../src/testing/testing.js';

afterEach(reset);
afterEach(() => vi.restoreAllMocks());

describe('a recording', () => {
  it('has errors, messages, transactions, feedback and attachments as the destination would get them', async () => {
    const sent = recordEvents();
    captureException(new TypeError('broken'), { attachments: [{ filename: 'a.txt', data: 'text' }] });
    captureMessage('hello');
    startSpan({ name: 'job', op: 'task' }, () => undefined);
    captureFeedback({ message: 'nice' });
    await sent.flush();
    expect(sent.errors).toEqual([anError({ type: 'TypeError', value: 'broken', environment: 'test' })]);
    expect(sent.errors[0]).not.toHaveProperty('sdkProcessingMetadata');
    expect(sent.messages.map(({ message }) => message)).toEqual(['hello']);
    expect(sent.transactions).toEqual([aTransaction({ name: 'job', op: 'task', status: 'ok' })]);
    expect(sent.feedback.map(({ contexts }) => contexts['feedback'])).toMatchObject([{ message: 'nice' }]);
    expect(sent.attachments).toMatchObject([{ filename: 'a.txt', data: 'text' }]);
  });

  it.each([
    [{ beforSend: 1 }, /^faultline: beforSend: there is no such option; .* `beforeSend`\?\)\n$/],
    [{ beforSend: 1, quiet: true }, undefined],
    [{ release: 'shop@1' }, undefined],
  ])('names options that are wrong, as in an application: %j', (options, says) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    recordEvents(options as object);
    expect(write.mock.calls.map(([text]) => text)).toEqual(says ? [expect.stringMatching(says)] : []);
  });

  it('names mistakes in calls, as in an application', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    recordEvents();
    captureMessage('hm', 'warn' as 'warning');
    setUser('bob' as never);
    captureMessage('hm');
    expect(write.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(/^faultline: captureMessage: the level must be one of /),
      expect.stringMatching(/^faultline: .*user: must be an object/),
    ]);
  });

  it('has sessions: the updates of one, with the errors in it', async () => {
    const sent = recordEvents({ release: 'shop@1' });
    startSession();
    captureException(new Error('broken'));
    await sent.next('error');
    expect(await sent.next('session')).toMatchObject({ status: 'ok', errors: 1, attrs: { release: 'shop@1' } });
    endSession();
    expect(await sent.next('session', { status: 'exited' })).toMatchObject({ errors: 1 });
    expect(sent.sessions.map(({ status }) => status)).toEqual(['ok', 'exited']);
  });

  it('has breadcrumbs as soon as they are added', () => {
    const sent = recordEvents();
    addBreadcrumb({ message: 'clicked' });
    expect(sent.breadcrumbs).toMatchObject([{ message: 'clicked' }]);
  });

  it('has what was discarded, and why', async () => {
    const sent = recordEvents({ tracesSampleRate: 0, beforeSend: () => null });
    captureMessage('hello');
    startSpan({ name: 'job' }, () => undefined);
    await sent.flush();
    expect(sent.discarded).toEqual(
      expect.arrayContaining([
        { reason: 'before_send', category: 'error', quantity: 1 },
        { reason: 'sample_rate', category: 'transaction', quantity: 1 },
      ]),
    );
    expect(sent.messages).toEqual([]);
  });

  it('uses no DSN of the environment', () => {
    process.env['FAULTLINE_DSN'] = 'https://key@errors.example.com/1';
    expect(recordEvents().client.dsn?.host).toBe('recorded.invalid');
    delete process.env['FAULTLINE_DSN'];
  });

  it('leaves the process to the test runner', () => {
    const before = process.listenerCount('uncaughtException');
    const sent = recordEvents({ integrations: [{ name: 'Mine' }] });
    expect(process.listenerCount('uncaughtException')).toBe(before);
    expect(sent.client.getIntegration('Mine')).toBeDefined();
    expect(sent.client.getIntegration('LinkedErrors')).toBeDefined();
  });

  it('forgets what has arrived', async () => {
    const sent = recordEvents();
    captureMessage('hello');
    await sent.flush();
    sent.clear();
    expect(sent.messages).toEqual([]);
  });
});

describe('next', () => {
  it('waits for what arrives later', async () => {
    const sent = recordEvents();
    const next = sent.next('error', /late/);
    captureException(new Error('early'));
    await sleep(1);
    captureException(new Error('too late'));
    expect(await next).toEqual(anError('too late'));
  });

  it('returns each item once, in the order of arrival', async () => {
    const sent = recordEvents();
    for (const text of ['one', 'two']) captureMessage(text);
    expect((await sent.next('message')).message).toBe('one');
    expect((await sent.next('message')).message).toBe('two');
    const both = Promise.all([sent.next('message'), sent.next('message')]);
    for (const text of ['three', 'four']) captureMessage(text);
    expect((await both).map(({ message }) => message)).toEqual(['three', 'four']);
  });

  it('rejects after a time, and says what arrived and what was discarded instead', async () => {
    const sent = recordEvents({ ignoreErrors: ['ignored'] });
    captureException(new Error('other'));
    captureException(new Error('ignored'));
    await sent.next('error');
    await expect(sent.next('error', { value: 'wanted' }, { timeoutMillis: 1 })).rejects.toThrow(
      "no error that matches { value: 'wanted' } arrived within 1 ms. " +
        `Instead there is: error "Error: other" { value: 'other' } (returned by an earlier next). Discarded: 1 error (event_processor).`,
    );
    await expect(sent.next('transaction', undefined, { timeoutMillis: 1 })).rejects.toThrow('no transaction arrived');
  });

  it('shows what each item of that kind has where the matcher asks for something else', async () => {
    const sent = recordEvents();
    setTag('tenant', 'acme');
    captureMessage('hello');
    captureException(new TypeError('broken'));
    await sent.flush();
    const expected = { type: 'TypeError', tags: { tenant: 'other' } };
    await expect(sent.next('error', expected, { timeoutMillis: 1 })).rejects.toThrow(
      `message "hello", error "TypeError: broken" { type: 'TypeError', tags: { tenant: 'acme' } }.`,
    );
  });

  it('says when another client has taken over', async () => {
    const sent = recordEvents();
    const other = init({ quiet: true });
    captureException(new Error('gone'));
    await expect(sent.next('error', undefined, { timeoutMillis: 1 })).rejects.toThrow(
      'Nothing arrived. init was called after recordEvents, and its client gets the events now.',
    );
    await other.close();
  });

  it('rejects when reset is called meanwhile', async () => {
    const next = recordEvents().next('error');
    await Promise.all([expect(next).rejects.toThrow('reset was called'), reset()]);
  });
});

describe('isolated', () => {
  it('1,000 tests at the same time see their own events only', async () => {
    const sent = recordEvents();
    const test = (id: number) =>
      sent.isolated(async (own) => {
        setTag('test', id);
        await sleep(id % 7);
        startSpan({ name: `job ${id}` }, () => captureException(new Error(`broken ${id}`)));
        addBreadcrumb({ message: `crumb ${id}` });
        await sleep(id % 5);
        captureMessage(`message ${id}`);
        const [error, message, transaction] = await Promise.all([
          own.next('error'),
          own.next('message'),
          own.next('transaction'),
        ]);
        expect(error).toEqual(anError({ value: `broken ${id}`, tags: { test: `${id}` } }));
        expect(message.breadcrumbs.at(-1)?.message).toBe(`crumb ${id}`);
        expect(transaction.transaction).toBe(`job ${id}`);
        expect([own.errors, own.messages, own.transactions, own.breadcrumbs].map(({ length }) => length)).toEqual([
          1, 1, 1, 1,
        ]);
      });
    await Promise.all(Array.from({ length: 1000 }, (_, id) => test(id)));
    expect(sent.errors).toHaveLength(1000);
  }, 60_000);
});
