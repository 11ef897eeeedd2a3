import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as faultline from '../../src/index.js';
import {
  addBreadcrumb,
  type ClientOptions,
  captureEvent,
  captureException,
  captureFeedback,
  captureMessage,
  createTransport,
  getCurrentScope,
  type Integration,
  setTag,
  startSpan,
  type TransportOptions,
} from '../../src/index.js';
import { OPTIONS } from '../../src/options.js';
import fc from '../support/fast-check.js';
import type { Answer } from '../support/receiver.js';
import { hostile, list, type Maker, maker, mostly, object, plain, print } from './hostile.js';
import { callback, event, HOOKS, integration, text } from './resources.js';
import { everyCase, TIMEOUT_MILLIS } from './runs.js';
import { expectAnswer, expectNothingEscaped, Stage } from './stage.js';

const number = plain(fc.oneof(fc.double(), fc.integer({ min: -1, max: 10 }), fc.constantFrom('0.5', '', '1')));
const flag = plain(fc.oneof(fc.boolean(), fc.constantFrom('yes', 'off', '')));
const matchers = list(mostly(plain(fc.constantFrom<string | RegExp>('x', /(?:)/g, /y$/))));
/** Options of all of them, some of which each one takes. */
const integrationOptions = object({
  levels: list(text),
  frameContextLines: number,
  maxIncomingRequestBodySize: text,
  key: text,
  limit: number,
  folder: text,
  include: object({ cookies: flag, headers: flag }),
  root: text,
  prefix: text,
  iteratee: callback(),
  mode: text,
  ignore: list(text),
  saveZodIssuesAsAttachment: flag,
});
/** All but the one that starts a debugger. */
const FACTORIES = Object.entries(faultline).filter(
  ([name]) => name.endsWith('Integration') && name !== 'localVariablesIntegration',
) as [string, (options: unknown) => Integration][];
const made = fc.tuple(fc.constantFrom(...FACTORIES), integrationOptions).map(([[name, create], given]) =>
  maker(
    () => create(given()),
    () => `${name}(${print(given)})`,
  ),
);
const transportOptions = object({
  bufferSize: plain(fc.constantFrom(0, 1, 30, -1, 0.5)),
  headers: object({
    'x-a': text,
    '\n': text,
    'content-length': text,
    'transfer-encoding': text,
    host: hostile,
    a: hostile,
  }),
  timeoutMillis: plain(fc.constantFrom(0, -1, 1000, 1e12)),
  url: text,
});
const answers = object({
  statusCode: plain(fc.constantFrom(200, 204, 302, 400, 413, 429, 500, 503, -1, Number.NaN)),
  headers: object({
    'retry-after': plain(fc.oneof(fc.constantFrom('0', '1', '-1', 'Thu, 01 Jan 1970 00:00:00 GMT', ''), fc.string())),
    'x-sentry-rate-limits': plain(
      fc.oneof(fc.constantFrom('1:error:org', '0::', ':::', '1:;;:', ',,', '99999999999999999999::'), fc.string()),
    ),
  }),
});
const answer = fc.record({
  statusCode: fc.constantFrom(200, 200, 204, 400, 413, 429, 500, 503),
  headers: fc.dictionary(
    fc.constantFrom('retry-after', 'x-sentry-rate-limits', 'x-sentry-error'),
    fc.oneof(
      fc.constantFrom('0', '1', '-1', '1:error:org', '1:transaction;span', '0::', ':::', '1:;;:', ',,', '9'.repeat(30)),
      fc.string(),
    ),
    { maxKeys: 2 },
  ),
  body: fc.string(),
  drop: fc.boolean(),
});
const transport = callback(object({ send: callback(answers), flush: callback() }));
const spanProcessor = object({ onStart: callback(), onEnd: callback(), forceFlush: callback(), shutdown: callback() });

/** What each option is given; those that are not listed, anything at all. */
const OPTION_VALUES: Partial<Record<keyof ClientOptions, fc.Arbitrary<Maker>>> = {
  environment: text,
  release: text,
  sampleRate: number,
  tracesSampleRate: number,
  tracesSampler: callback(number),
  beforeSend: callback(event),
  beforeSendTransaction: callback(event),
  beforeBreadcrumb: callback(),
  integrations: fc.oneof(list(integration), callback()),
  defaultIntegrations: fc.oneof(plain(fc.constant(false)), list(integration)),
  maxBreadcrumbs: number,
  maxValueLength: number,
  normalizeDepth: number,
  normalizeMaxBreadth: number,
  ignoreErrors: matchers,
  ignoreTransactions: matchers,
  allowUrls: matchers,
  denyUrls: matchers,
  tracePropagationTargets: matchers,
  transport,
  transportOptions,
  shutdownTimeout: number,
  attachStacktrace: flag,
  sendClientReports: flag,
  clientReportIntervalMillis: number,
  sessionIntervalMillis: number,
  captureSpanErrors: flag,
  openTelemetrySpanProcessors: list(spanProcessor),
  orgId: plain(fc.oneof(fc.string(), fc.integer())),
};
/** `debug: true` would write what it has to say of all this. */
const OPTION_NAMES = Object.keys(OPTIONS).filter((name) => !['debug', 'dsn'].includes(name)) as (keyof ClientOptions)[];
const options = object(Object.fromEntries(OPTION_NAMES.map((name) => [name, OPTION_VALUES[name] ?? hostile])));

const hooks = object({
  beforeSend: callback(event),
  beforeSendTransaction: callback(event),
  beforeBreadcrumb: callback(),
  tracesSampler: callback(number),
});
const handlers = fc.array(fc.tuple(fc.constantFrom(...HOOKS), callback()), { maxLength: 3 });

/** A little of everything. */
function story(): void {
  setTag('told', true);
  addBreadcrumb({ message: 'once upon a time' });
  startSpan({ name: 'root', op: 'task' }, () => {
    startSpan({ name: 'child' }, () => captureException(new Error('inside')));
  });
  try {
    startSpan({ name: 'failing' }, () => {
      throw new TypeError('through a span');
    });
  } catch {
    // As intended.
  }
  getCurrentScope().addAttachment({ filename: 'a.txt', data: 'text' });
  captureMessage('a message');
  captureEvent({ message: 'an event' });
  captureFeedback({ message: 'feedback' });
}

describe('a client', () => {
  let stage: Stage;
  /** For clients of which nothing is known but that they must not harm anybody. What they leave in flight arrives later. */
  let anyhow: Stage;

  beforeAll(async () => {
    stage = await Stage.open();
    anyhow = await Stage.open();
    vi.stubEnv('FAULTLINE_DSN', anyhow.receiver.dsn);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await stage.close();
    await anyhow.close();
  });

  async function tellAnyhow(given: ClientOptions): Promise<void> {
    await anyhow.reopen(given);
    await anyhow.act(story);
    await expectAnswer(anyhow.client.flush(300));
    for (const { queued } of Object.values(anyhow.client.ledger.balance())) expect(queued).toBeGreaterThanOrEqual(0);
    await expectAnswer(anyhow.client.close(100));
    expectNothingEscaped();
    expect(anyhow.receiver.violations).toEqual([]);
  }

  it('is made of whatever options, and does what it can', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'options',
      fc.asyncProperty(options, (given) => tellAnyhow(given() as ClientOptions)),
    );
  });

  it('asks hooks and handlers, and counts what they lose', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'hooks',
      fc.asyncProperty(hooks, handlers, callback(event), async (given, handled, processor) => {
        const { dsn } = stage.receiver;
        await stage.reopen({ dsn, defaultIntegrations: false, tracesSampleRate: 1, ...copyOf(given()) });
        for (const [hook, handler] of handled) stage.client.on(hook, handler() as never);
        await stage.play(() => {
          getCurrentScope().addEventProcessor(processor() as never);
          story();
        });
      }),
    );
  });

  it('lets integrations do what they want', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'integrations',
      fc.asyncProperty(list(fc.oneof(integration, made)), async (integrations) => {
        const given = { tracesSampleRate: 1, integrations: integrations() as Integration[] };
        await stage.reopen({ dsn: stage.receiver.dsn, defaultIntegrations: false, ...given });
        await stage.play(story);
      }),
    );
  });

  it('survives transports of any kind', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'transports',
      fc.asyncProperty(transport, callback(answers), fc.boolean(), async (factory, makeRequest, isOurs) => {
        const ours = (given: TransportOptions) => createTransport(given, makeRequest() as never);
        await tellAnyhow({ tracesSampleRate: 1, transport: isOurs ? ours : (factory() as never) });
      }),
    );
  });

  it('survives answers of any kind', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'answers',
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 4 }), async (given) => {
        const { receiver } = stage;
        await stage.reopen({ dsn: receiver.dsn, tracesSampleRate: 1, defaultIntegrations: false });
        let asked = 0;
        // Only the first may be one after which the SDK tries again: each costs an interval.
        receiver.respondWith(() => (asked++ === 0 ? withoutPause(given[0]) : finalOf(given[asked % given.length])));
        await stage.act(story);
        // False when the receiver refused something; everything is settled all the same.
        await stage.client.flush(5000);
        await stage.client.flush(5000);
        receiver.respondWith();
        const { internal: _, ...received } = receiver.counts();
        const balance = Object.entries(stage.client.ledger.balance());
        const delivered = balance.map(([category, row]) => [category, row.delivered] as const);
        expect(Object.fromEntries(delivered.filter(([, count]) => count > 0))).toEqual(received);
        expect(balance.filter(([, { queued }]) => queued !== 0)).toEqual([]);
        expectNothingEscaped();
        expect(receiver.violations).toEqual([]);
      }),
    );
  });

  it('waits no longer than it is told to for hooks and transports that hang', async () => {
    const never = () => new Promise<never>(() => undefined);
    for (const hanging of [{ beforeSend: never }, { transport: () => ({ send: never, flush: never }) }]) {
      await anyhow.reopen({ defaultIntegrations: false, ...hanging });
      await anyhow.act(story);
      await expectAnswer(anyhow.client.flush(20));
      await expectAnswer(anyhow.client.close(20));
    }
  });
});

const withoutPause = (given: Answer | undefined): Answer => ({ ...given, headers: {} });

const finalOf = (given: Answer | undefined): Answer =>
  given?.drop || given?.statusCode === 503 ? { ...given, drop: false, statusCode: 200 } : { ...given };

/** What can be read of options that a test has to add some to. */
function copyOf(options: unknown): ClientOptions {
  try {
    return { ...(options as ClientOptions) };
  } catch {
    return {};
  }
}
