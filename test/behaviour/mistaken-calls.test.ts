import { expect, it } from 'vitest';
import * as faultline from '../../src/index.js';
import { stderrOf } from '../support/stderr-of.js';

/** Calls and hooks that TypeScript refuses, and hooks that fail. seeded-mistakes.test.ts has the mistakes that need a process of their own. */

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
    name: 'bytes and lists in place of data, whose many numbered members are not read',
    story: ({ addBreadcrumb, captureException, captureMessage, setExtras, setTags, setUser }) => {
      const bytes = Buffer.from('one');
      for (const data of [bytes, new Float64Array(3), ['one']]) {
        captureException(new Error('one'), data);
        setTags(data);
        setExtras(data);
        setUser(data);
        captureMessage('two', { extra: data, contexts: { body: data } });
      }
      addBreadcrumb({ message: 'three', data: bytes });
    },
    says: /^faultline: captureException: its second argument must be an object, .*, but is binary data; it is ignored\nfaultline: tags: must be an object with members, but is \w+ \w+; it is ignored\n/,
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
    says: /^faultline: captureException: the exception is undefined; the event is sent without it\nfaultline: captureMessage: the message is undefined; the event is sent without it\n$/,
  },
  {
    name: 'a promise in place of an exception',
    story: ({ captureException }) => {
      captureException(Promise.resolve(new Error('one')));
    },
    says: /^faultline: captureException: the exception is a promise; its reason is not sent\. Await it in a try, and capture what the catch gets\n$/,
  },
  {
    name: 'data in place of a scope',
    story: ({ withIsolationScope, withScope }) => {
      const ran: string[] = [];
      withScope({ tags: { a: 1 } }, () => ran.push('current'));
      withIsolationScope('a', () => ran.push('isolation'));
      withScope(undefined, () => ran.push('none'));
      expect(ran).toEqual(['current', 'isolation', 'none']);
    },
    says: /^faultline: withScope: its first argument must be a scope, but is an object; it is ignored\. Set its data in the callback: .*\nfaultline: withIsolationScope: .*, but is a string; .*\n$/,
  },
  {
    name: 'a time that is no number',
    story: async ({ flush }) => {
      await flush('2000');
      await flush(undefined);
    },
    says: /^faultline: flush: the time must be a number of milliseconds, but is "2000"; it is ignored\n$/,
  },
  {
    name: 'events that are none, by what they are',
    story: ({ captureEvent }) => {
      for (const event of [null, undefined, ['one'], 1n]) captureEvent(event);
    },
    says: /^faultline: captureEvent: the event must be an object such as \{ message \}, but is null; the event is sent without content\nfaultline: .*, but is undefined; .*\nfaultline: .*, but is an array; .*\nfaultline: .*, but is a bigint; .*\n$/,
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
  {
    name: 'data of the wrong type for one event',
    story: ({ captureException, captureMessage }) => {
      for (let i = 0; i < 2; i++) captureException(new Error('one'), { user: 'bob', tags: 5, level: undefined });
      captureMessage('two', { extra: 'x', contexts: 'x', fingerprint: [{}], attachments: 'report.txt' });
      captureException(new Error('three'), { user: null, tags: undefined, fingerprint: 'one', attachments: [] });
      captureException(new Error('four'), { captureContext: 'order' });
      faultline.withScope((scope) => {
        scope.addEventProcessor({} as never);
        captureMessage('five', { user: {}, extra: undefined });
      });
    },
    says: /^faultline: tags: must be .*, but is a number; .*\nfaultline: user: must be .*, but is a string; .*\nfaultline: extra: must be .*, but is a string; .*\nfaultline: contexts: must be .*\nfaultline: fingerprint: each part must be a string, but is an object; it is left out\nfaultline: attachments: .*\nfaultline: captureContext: .* a string; .*\nfaultline: addEventProcessor: the callback must be .*\n$/,
  },
  {
    name: 'events made by hand whose members have a wrong type',
    options: { beforeSend: (event) => ({ ...event, extra: 'x' as never }) },
    story: ({ captureEvent }) => {
      captureEvent({ message: 'one', user: 'bob', tags: [], contexts: 5, fingerprint: [{}], extra: null });
    },
    says: /^faultline: (fingerprint: each part|contexts|tags|user)(.|\n)*\nfaultline: extra: must be .*, but is a string; it is ignored\n$/,
  },
  {
    name: 'events that are none',
    story: ({ captureEvent }) => {
      captureEvent('one');
      captureEvent(new Error('two'));
    },
    says: /^faultline: captureEvent: the event must be an object such as \{ message \}, but is a string; the event is sent without content\nfaultline: captureEvent: .* is an error, which captureException takes; the event is sent without content\n$/,
  },
  {
    name: 'breadcrumbs of the wrong type',
    story: ({ addBreadcrumb, captureMessage }) => {
      addBreadcrumb('text');
      addBreadcrumb({ message: 'one', category: null, data: undefined, timestamp: Date.now() });
      addBreadcrumb({ message: 'two', data: 'x', order: { id: 7 } });
      captureMessage('three');
    },
    says: /^faultline: addBreadcrumb: must be an object with members, but is a string; it is ignored\nfaultline: addBreadcrumb: timestamp must be Unix seconds, .*, but is a number; it is left out\nfaultline: addBreadcrumb: data must be an object, but is a string; .*\nfaultline: addBreadcrumb: order must be .* \(data takes objects\), but is an object; .*\n$/,
  },
  {
    name: 'tags that are objects',
    story: ({ captureMessage, setTag, setTags }) => {
      for (let i = 0; i < 2; i++) setTag('tenant', { id: 7 });
      setTags({ a: 'x', b: 1, c: true, d: null, e: undefined, f: 5n, plan: ['free'] });
      captureMessage('one');
    },
    says: /^faultline: tags: the value of "tenant" must be a string, number or boolean, but is an object; only its type is sent\nfaultline: tags: the value of "plan" .* is an array; .*\n$/,
  },
  {
    name: 'a beforeSend that throws',
    options: { beforeSend: (event) => (event as never as { missing: string[] }).missing.length as never },
    story: ({ captureMessage }) => {
      for (let i = 0; i < 3; i++) captureMessage('hello');
    },
    says: /^faultline: beforeSend threw: TypeError: Cannot read properties .*; the event was discarded, as is every event .* must return the event, or null to discard it on purpose\n$/,
  },
  {
    name: 'a beforeSend that returns nothing, later',
    options: {
      beforeSend: (async (event: faultline.ErrorEvent) => {
        event.tags = {};
      }) as never,
    },
    story: ({ captureMessage }) => {
      captureMessage('hello');
    },
    says: /^faultline: beforeSend must return null or an event, but returned undefined; the event was discarded.*\n$/,
  },
  {
    name: 'a beforeSend that returns the exception',
    options: { beforeSend: (_, { originalException }) => originalException as never },
    story: async ({ captureException }) => {
      captureException(new Error('mine'));
      await faultline.flush(5000);
      expect(faultline.getClient()?.ledger.balance().error).toMatchObject({ captured: 1, delivered: 0, discarded: 1 });
    },
    says: /^faultline: beforeSend must return null or an event, but returned an error; the event was discarded.*\n$/,
  },
  {
    name: 'a beforeSendTransaction that returns an error event',
    options: { tracesSampleRate: 1, beforeSendTransaction: () => ({ message: 'a new one' }) as never },
    story: async ({ startSpan }) => {
      startSpan({ name: 'root' }, () => undefined);
      await faultline.flush(5000);
      expect(faultline.getClient()?.ledger.balance()).toMatchObject({
        transaction: { captured: 1, delivered: 0, discarded: 1 },
        span: { captured: 1, delivered: 0, discarded: 1 },
      });
    },
    says: /^faultline: beforeSendTransaction must return null or an event of the same type, but returned an event of the type error for one of the type transaction; the event was discarded.*\n$/,
  },
  {
    name: 'two hooks that fail: a line for each',
    options: {
      tracesSampleRate: 1,
      beforeSendTransaction: () => Promise.reject(new Error('no')),
      beforeSendSpan: () => true as never,
    },
    story: async () => {
      faultline.startSpan({ name: 'root' }, () => faultline.startSpan({ name: 'child' }, () => undefined));
      await faultline.flush(5000);
      faultline.addEventProcessor(() => {
        throw new Error('never');
      });
      faultline.captureMessage('hello');
    },
    says: /^faultline: beforeSendSpan must return a span, but returned boolean; the span was discarded.*\nfaultline: an event processor threw: Error: never; .*\n$/,
  },
  {
    name: 'a tracesSampler that throws, and a beforeBreadcrumb that returns nothing',
    options: {
      tracesSampler: (context) => (context as never as { missing: string[] }).missing.length,
      beforeBreadcrumb: ((breadcrumb: faultline.Breadcrumb) => {
        breadcrumb.message = 'changed';
      }) as never,
    },
    story: () => {
      for (let i = 0; i < 2; i++) {
        faultline.addBreadcrumb({ message: 'one' });
        faultline.startSpan({ name: 'work' }, () => undefined);
      }
    },
    says: /^faultline: beforeBreadcrumb returned undefined; the breadcrumb was discarded\. It must return the breadcrumb, or null .*\nfaultline: tracesSampler threw: TypeError: .*; such traces are not sampled\. It must return a boolean or a number from 0 to 1\n$/,
  },
  {
    name: 'an integration that is not called',
    options: { integrations: [faultline.localVariablesIntegration as never] },
    story: ({ captureMessage }) => {
      captureMessage('hello');
    },
    says: /^faultline: integrations: must be objects with a name, but one is the function localVariablesIntegration, which has to be called: .*; it is ignored\n$/,
  },
  {
    name: 'allow lists without a pattern, which let nothing pass',
    options: {
      allowUrls: [undefined as never],
      tracePropagationTargets: new Set(['a.test']) as never,
      ignoreErrors: [''],
    },
    story: async ({ captureException, captureMessage }) => {
      captureException(new Error('with a stack'));
      captureMessage('without one');
      await faultline.flush(5000);
      expect(faultline.getClient()?.ledger.balance().error).toMatchObject({ delivered: 1, discarded: 1 });
    },
    says: /^faultline: allowUrls: must be an array of strings that are not empty and of regular expressions, but is an array whose first element is undefined; no error that has a stack is sent\. tracePropagationTargets: must be .*, but is an object; no request gets trace headers\n$/,
  },
];

it.each(MISTAKES)('stderr names $name', async ({ options = {}, story, says }) => {
  expect(await stderrOf(options, () => story(faultline as unknown as Untyped))).toMatch(says);
});
