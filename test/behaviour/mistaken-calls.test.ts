import { expect, it } from 'vitest';
import * as faultline from '../../src/index.js';
import { stderrOf } from '../support/stderr-of.js';

/** Calls that TypeScript refuses. seeded-mistakes.test.ts has the mistakes that need a process of their own. */

type Untyped = Readonly<Record<string, (...args: unknown[]) => unknown>>;

interface Mistake {
  readonly name: string;
  /** Beside the DSN. */
  readonly options?: faultline.ClientOptions;
  readonly story: (calls: Untyped) => unknown;
  readonly says: RegExp;
}

const MISTAKES: readonly Mistake[] = [
  {
    name: 'functions that run a callback, and get none',
    options: { tracesSampleRate: 1 },
    story: ({ startSpan, startSpanManual, withScope }) => {
      for (let i = 0; i < 2; i++) startSpan({ name: 'work' });
      startSpanManual('work', () => undefined);
      withScope({ tags: {} });
    },
    says: /^faultline: startSpan: the callback must be a function, but is undefined; nothing runs in the span\. For one that you end yourself, call startInactiveSpan\nfaultline: startSpan: its first argument must be .*\nfaultline: withScope: the callback must be a function, but is an object; nothing runs\n$/,
  },
  {
    name: 'a name in place of the options of a span',
    options: { tracesSampleRate: 1 },
    story: ({ startSpan }) => {
      startSpan('work', () => undefined);
      startSpan({}, () => undefined);
    },
    says: /^faultline: startSpan: its first argument must be an object with a name, but is a string; the span is called <unnamed span>\nfaultline: startSpan: .*, but the name is undefined; .*\n$/,
  },
  {
    name: 'levels that do not exist: a line for each',
    story: ({ addBreadcrumb, captureEvent, captureException, captureMessage }) => {
      for (let i = 0; i < 2; i++) addBreadcrumb({ message: 'one', level: 'warn' });
      captureMessage('hello', 'critical');
      captureException(new Error('one'), { level: 7 });
      captureEvent({ message: 'two', level: 'Error' });
    },
    says: /^faultline: addBreadcrumb: the level must be one of fatal, error, warning, info, debug, log, but is "warn"; it is ignored\nfaultline: captureMessage: the level .* is "critical"; .*\nfaultline: captureException: the level .* is 7; .*\nfaultline: captureEvent: the level .* is "Error"; .*\n$/,
  },
  {
    name: 'a level that does not exist, set by a hook before close',
    options: { beforeSend: (event) => ({ ...event, level: 'warn' as never }) },
    story: ({ captureMessage }) => {
      captureMessage('hello');
    },
    says: /^faultline: captureEvent: the level .* is "warn"; it is ignored\n$/,
  },
  {
    name: 'members of a hint that do not exist',
    story: ({ captureException, captureMessage }) => {
      for (let i = 0; i < 2; i++) captureException(new Error('one'), { tag: { a: 1 }, userId: 7 });
      captureMessage('two', { tags: { a: 1 }, mechanism: { type: 'a' }, data: 1, attachments: [] });
    },
    says: /^faultline: captureException: tag: there is no such member; it is not sent \(did you mean `tags`\?\)\. userId: there is no such member; it is not sent \(did you mean `user`\?\)\. Put what is to be sent into tags, extra or contexts, and what hooks need into data\n$/,
  },
  {
    name: 'a level in place of the data for one exception',
    story: ({ captureException, captureMessage }) => {
      captureException(new Error('one'), 'fatal');
      captureMessage('two', 'fatal');
      [new Error('three')].forEach(captureException);
    },
    says: /^faultline: captureException: its second argument must be an object, such as \{ level: 'fatal' \}, but is a string; it is ignored\n$/,
  },
  {
    name: 'an error in place of the data for one event',
    story: ({ captureException, captureMessage }) => {
      const declined = Object.assign(new Error('declined'), { code: 'card', tags: {} });
      captureException('Payment failed', declined);
      captureException(new Error('Payment failed', { cause: declined }));
      captureMessage('Payment failed', declined);
    },
    says: /^faultline: captureException: its second argument must be .*, but is an error, which is not sent\. Make it the cause of the first: new Error\('what failed', \{ cause: error \}\)\nfaultline: captureMessage: .* is an error, .*\n$/,
  },
  {
    name: 'two typos in calls of one function: a line for each, five at most',
    story: ({ captureMessage }) => {
      for (let i = 0; i < 9; i++) captureMessage('one', { [`typo${i}`]: 1 });
    },
    says: /^(faultline: captureMessage: typo[0-4]: there is no such member; .*\n){5}$/,
  },
  {
    name: 'captures of nothing',
    story: async ({ captureException, captureMessage }) => {
      Promise.reject(new Error('one')).catch(() => captureException());
      await null;
      captureMessage();
      captureException(null);
      captureException(undefined, { mechanism: { type: 'framework' } });
    },
    says: /^faultline: captureException: the exception is undefined, so that the event does not say what happened\nfaultline: captureMessage: the message is undefined, so that the event does not say what happened\n$/,
  },
  {
    name: 'events that are none, by what they are',
    story: ({ captureEvent }) => {
      for (const event of [null, undefined, ['one'], 1n]) captureEvent(event);
    },
    says: /^faultline: captureEvent: the event must be an object such as \{ message \}, but is null; an event is sent that does not say what happened\nfaultline: .*, but is undefined; .*\nfaultline: .*, but is an array; .*\nfaultline: .*, but is a bigint; .*\n$/,
  },
  {
    name: 'an event processor that is none',
    story: ({ addEventProcessor, captureMessage }) => {
      addEventProcessor(undefined);
      captureMessage('one');
    },
    says: /^faultline: addEventProcessor: the callback must be a function, but is undefined; it is ignored\n$/,
  },
  {
    name: 'scope data of the wrong type',
    story: ({ captureMessage, setContext, setExtra, setTag, setTags, setUser }) => {
      setUser('ada@example.com');
      setUser(null);
      setUser(undefined);
      setTags(['acme']);
      setTag({ tenant: 'acme' });
      setContext('order', 5);
      setContext('order', null);
      setExtra(7, 'x');
      captureMessage('one');
    },
    says: /^faultline: user: must be an object with members, but is a string; it is ignored\nfaultline: tags: must be .*, but is an array; .*\nfaultline: tags: a key must be a string, but is an object; it is ignored\nfaultline: contexts: must be .*, but is a number; .*\nfaultline: extra: a key must be a string, but is 7; it is ignored\n$/,
  },
];

it.each(MISTAKES)('stderr names $name', async ({ options = {}, story, says }) => {
  expect(await stderrOf(options, () => story(faultline as unknown as Untyped))).toMatch(says);
});
