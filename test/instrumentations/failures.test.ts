import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReceivedErrorEvent, type Receiver, startReceiver } from '../support/receiver.js';
import { startService, stopAndBalance } from '../support/services/start-service.js';

/** Some answers have no end and are given up after a second; applications that share a process are tried in turn. */
const ALL_MILLIS = 300_000;

interface App {
  /** File in `failures/`. */
  readonly app: string;
  /** Package that the file is handed. */
  readonly framework?: string;
  /** One of several ways to set the error handler up. */
  readonly setup?: string;
  /** Entry of ours, where it is not called like the file. */
  readonly entry?: string;
  /** Whether OTel's own SDK is there, with every instrumentation. */
  readonly isBeside?: boolean;
  readonly mechanism: string;
  /** Ways to fail, each with the path behind it where it is not an id, and with what arrives where it is not the way's name. */
  readonly ways: Readonly<Record<string, Way>>;
}

interface Way {
  /** @default /1 */
  readonly path?: string;
  /** Values of the exceptions that arrive. @default the name of the way */
  readonly arrives?: readonly unknown[];
  /** Where something of ours that is no error handler has captured it first. */
  readonly mechanism?: string;
  /** Of the event and the request: the way with `:id`, by default; `path` where the route was not known, `mount` without `:id`. */
  readonly transaction?: string;
  /** What follows the names of the event and of the request's transaction. */
  readonly operation?: string;
}

const PLAIN: Way = {};
const NEVER: Way = { arrives: [] };
const BY_SPAN: Way = { mechanism: 'auto.function.start_span' };
const BY_HAND: Way = { mechanism: 'generic' };
/** Captured before the framework's error handler. */
const EARLY: Readonly<Record<string, Way>> = {
  span: BY_SPAN,
  'span-string': BY_SPAN,
  'span-not-found': NEVER,
  'by-hand': BY_HAND,
};
/** Two requests that fail with the same error, which leaves a span first. */
const CACHED: Readonly<Record<string, Way>> = { cached: BY_SPAN, 'cached-again': { ...BY_SPAN, arrives: ['cached'] } };
/** Where the framework does not know routes. */
const UNROUTED: Way = { transaction: 'path' };
/** Where the framework knows no more than the path at which its middleware is mounted. */
const MOUNTED: Way = { transaction: 'mount' };
const NO_ROUTE: Way = { ...NEVER, ...UNROUTED };
const OBJECT: Way = { arrives: ['Object captured as exception with keys: code'] };

const EXPRESS_WAYS: Readonly<Record<string, Way>> = {
  sync: PLAIN,
  async: PLAIN,
  pooled: PLAIN,
  next: PLAIN,
  string: PLAIN,
  object: OBJECT,
  'not-found': NEVER,
  'upstream-404': PLAIN,
  'status-set': NEVER,
  'no-route': NO_ROUTE,
  unavailable: PLAIN,
  middleware: { transaction: 'GET /middleware/1' },
  param: { transaction: 'GET /param/:broken' },
  nested: { path: '/inner/1', transaction: 'GET /nested/inner/:id' },
  mounted: PLAIN,
  'headers-sent': PLAIN,
  stream: PLAIN,
  ...EARLY,
  ...CACHED,
  answered: PLAIN,
  'failing-handler': { arrives: ['failing-handler', 'handler failed'] },
  'passed-on': PLAIN,
};

const CONNECT_WAYS: Readonly<Record<string, Way>> = {
  sync: MOUNTED,
  async: MOUNTED,
  pooled: MOUNTED,
  next: MOUNTED,
  string: MOUNTED,
  object: { ...OBJECT, ...MOUNTED },
  'not-found': { ...NEVER, ...MOUNTED },
  'upstream-404': MOUNTED,
  'no-route': NO_ROUTE,
  unavailable: MOUNTED,
  'headers-sent': MOUNTED,
  stream: MOUNTED,
  span: { ...BY_SPAN, ...MOUNTED },
  'span-string': { ...BY_SPAN, ...MOUNTED },
  'span-not-found': { ...NEVER, ...MOUNTED },
  'by-hand': { ...BY_HAND, ...MOUNTED },
  nested: { path: '/inner', transaction: 'GET /nested/inner' },
  answered: MOUNTED,
  'failing-handler': { ...MOUNTED, arrives: ['failing-handler', 'handler failed'] },
  'passed-on': MOUNTED,
};

const KOA_WAYS: Readonly<Record<string, Way>> = {
  sync: PLAIN,
  rejection: PLAIN,
  string: PLAIN,
  object: OBJECT,
  'not-found': NEVER,
  'upstream-404': PLAIN,
  'no-route': NO_ROUTE,
  thrown: PLAIN,
  'thrown-400': NEVER,
  'assert-401': NEVER,
  unavailable: PLAIN,
  'missing-file': PLAIN,
  middleware: UNROUTED,
  nested: { path: '/inner/1', transaction: 'GET /nested/inner/:id' },
  mounted: { path: '/inner/1', transaction: 'GET /mounted/inner/:id' },
  pattern: { transaction: 'GET /^\\/pattern\\//' },
  'headers-sent': PLAIN,
  stream: PLAIN,
  ...EARLY,
  emitted: PLAIN,
  translated: { arrives: ['translated', 'translated again'] },
  'failing-handler': { arrives: ['failing-handler', 'handler failed'] },
  handled: NEVER,
};

const HONO_WAYS: Readonly<Record<string, Way>> = {
  sync: PLAIN,
  rejection: PLAIN,
  string: PLAIN,
  object: OBJECT,
  'not-found': NEVER,
  'no-route': NO_ROUTE,
  validation: NEVER,
  unavailable: PLAIN,
  'upstream-404': PLAIN,
  'after-next': PLAIN,
  stream: BY_HAND,
  'stream-span': BY_SPAN,
  'sse-span': BY_SPAN,
  middleware: { transaction: 'GET /middleware/*' },
  all: { transaction: 'GET /all/*' },
  nested: { path: '/inner/1', transaction: 'GET /nested/inner/:id' },
  mounted: { path: '/inner/1', transaction: 'GET /mounted/inner/:id' },
  'own-handler': PLAIN,
  ...EARLY,
  ...CACHED,
  'span-upstream-404': PLAIN,
  answered: PLAIN,
  'failing-handler': { arrives: ['failing-handler', 'handler failed'] },
};

const FASTIFY_WAYS: Readonly<Record<string, Way>> = {
  sync: PLAIN,
  rejection: PLAIN,
  pooled: PLAIN,
  sent: PLAIN,
  string: PLAIN,
  object: OBJECT,
  'not-found': NEVER,
  'upstream-404': PLAIN,
  'status-set': NEVER,
  'no-route': NO_ROUTE,
  validation: NEVER,
  unavailable: PLAIN,
  onRequest: PLAIN,
  preParsing: PLAIN,
  preValidation: PLAIN,
  preHandler: PLAIN,
  preSerialization: PLAIN,
  onSend: PLAIN,
  'onSend-again': PLAIN,
  'onSend-otherwise': { arrives: ['onSend-otherwise', 'onSend-otherwise again'] },
  unserializable: { arrives: ['"name" is required!'] },
  nested: { path: '/inner/1', transaction: 'GET /nested/inner/:id' },
  'after-answer': PLAIN,
  stream: PLAIN,
  ...EARLY,
  ...CACHED,
  answered: PLAIN,
  'failing-handler': { arrives: ['failing-handler', 'handler failed'] },
  'rejecting-handler': { arrives: ['rejecting-handler', 'handler failed'] },
};

const HAPI_WAYS: Readonly<Record<string, Way>> = {
  sync: PLAIN,
  rejection: PLAIN,
  returned: PLAIN,
  string: PLAIN,
  object: OBJECT,
  nothing: { arrives: [' method did not return a value, a promise, or throw an error'] },
  'not-found': NEVER,
  'upstream-404': PLAIN,
  'no-route': NO_ROUTE,
  validation: NEVER,
  unavailable: PLAIN,
  'status-named': PLAIN,
  onPreAuth: PLAIN,
  onPreHandler: PLAIN,
  onPostHandler: PLAIN,
  nested: PLAIN,
  stream: PLAIN,
  unserializable: { arrives: [expect.stringContaining('circular')] },
  'type-error': PLAIN,
  'span-type-error': BY_SPAN,
  'by-hand-type-error': BY_HAND,
  ...EARLY,
  answered: PLAIN,
  'failing-handler': { arrives: ['failing-handler', 'handler failed'] },
};

const NEST_WAYS: Readonly<Record<string, Way>> = {
  sync: PLAIN,
  rejection: PLAIN,
  string: PLAIN,
  object: OBJECT,
  'not-found': NEVER,
  'upstream-404': PLAIN,
  'http-errors': NEVER,
  'no-route': NO_ROUTE,
  'only-status': PLAIN,
  unavailable: PLAIN,
  pipe: PLAIN,
  guard: PLAIN,
  interceptor: PLAIN,
  middleware: { transaction: 'GET /middleware/:id' },
  filtered: PLAIN,
  globally: PLAIN,
  ...EARLY,
};

/** Version 12 answers errors with a `statusCode` with 500, unless they are those of http-errors or Fastify. */
const NEST_12_WAYS: Readonly<Record<string, Way>> = { ...NEST_WAYS, 'http-errors': PLAIN };

const query = (text: string, expected: Way = {}): Way => ({
  path: `/1?query=${encodeURIComponent(text)}`,
  transaction: 'path',
  ...expected,
});

const executed = (text: string, expected: Way = {}): Way =>
  query(text, { operation: ` (${/^query \w+/.exec(text)?.[0] ?? 'query'})`, ...expected });

const GRAPHQL_WAYS: Readonly<Record<string, Way>> = {
  sync: executed('{ sync }'),
  rejection: executed('query Named { rejection }'),
  string: executed('{ string }', { arrives: [expect.stringContaining('string')] }),
  nested: executed('{ nested { deeper } }'),
  twice: executed('{ sync nested { deeper } }', { arrives: ['sync', 'nested'] }),
  forbidden: executed('{ forbidden }', NEVER),
  coded: executed('{ coded }', NEVER),
  unavailable: executed('{ unavailable }'),
  span: executed('{ span }', BY_SPAN),
  syntax: query('{ sync', NEVER),
  unknown: query('{ nothing }', NEVER),
  context: query('{ fine }'),
  fine: executed('{ fine }', NEVER),
};

const NEST_GRAPHQL_WAYS: Readonly<Record<string, Way>> = {
  sync: executed('{ sync }'),
  rejection: executed('query Named { rejection }'),
  string: executed('{ string }'),
  forbidden: executed('{ forbidden }', NEVER),
  unavailable: executed('{ unavailable }'),
  span: executed('{ span }', BY_SPAN),
  'by-hand': executed('{ byhand }', BY_HAND),
  syntax: query('{ sync', NEVER),
  unknown: query('{ nothing }', NEVER),
  fine: executed('{ fine }', NEVER),
  field: executed('{ order { sync } }', { mechanism: 'auto.middleware.apollo' }),
  'field-forbidden': executed('{ order { forbidden } }', NEVER),
};

const NODE_HTTP_WAYS: Readonly<Record<string, Way>> = {
  sync: UNROUTED,
  rejection: UNROUTED,
  string: UNROUTED,
  'headers-sent': UNROUTED,
  span: { ...UNROUTED, ...BY_SPAN },
  'by-hand': { ...UNROUTED, ...BY_HAND },
  fine: NO_ROUTE,
};

/** Leaves out ways that end otherwise with spans of instrumentations around them. */
const except = (ways: Readonly<Record<string, Way>>, ...names: string[]) =>
  Object.fromEntries(Object.entries(ways).filter(([way]) => !names.includes(way)));

const BESIDE: readonly App[] = [
  {
    app: 'express',
    framework: 'express',
    mechanism: 'auto.middleware.express',
    ways: except(EXPRESS_WAYS, 'middleware'),
  },
  { app: 'koa', framework: 'koa', mechanism: 'auto.middleware.koa', ways: KOA_WAYS },
  { app: 'hono', framework: 'hono', mechanism: 'auto.middleware.hono', ways: HONO_WAYS },
  {
    app: 'fastify',
    framework: 'fastify',
    mechanism: 'auto.middleware.fastify',
    ways: except(FASTIFY_WAYS, 'after-answer'),
  },
  { app: 'hapi', framework: '@hapi/hapi', mechanism: 'auto.middleware.hapi', ways: HAPI_WAYS },
  {
    app: 'nest',
    framework: './nest11.mjs',
    mechanism: 'auto.middleware.nest',
    ways: NEST_WAYS,
    setup: 'module',
  },
  { app: 'apollo', framework: '@apollo/server', mechanism: 'auto.middleware.apollo', ways: GRAPHQL_WAYS },
  { app: 'yoga', framework: 'graphql-yoga', mechanism: 'auto.middleware.yoga', ways: GRAPHQL_WAYS },
  { app: 'node-http', setup: 'wrapped', mechanism: 'auto.middleware.node_http', ways: NODE_HTTP_WAYS },
].map((app) => ({ ...app, isBeside: true }));

const APPS: readonly App[] = [
  ...BESIDE,
  { app: 'express', framework: 'express4', mechanism: 'auto.middleware.express', ways: EXPRESS_WAYS },
  {
    app: 'express',
    framework: 'express',
    mechanism: 'auto.middleware.express',
    ways: { ...EXPRESS_WAYS, rejection: PLAIN },
  },
  {
    app: 'connect',
    framework: 'connect',
    mechanism: 'auto.middleware.connect',
    ways: CONNECT_WAYS,
  },
  { app: 'express', framework: 'express4', setup: 'early', mechanism: 'auto.middleware.express', ways: EXPRESS_WAYS },
  { app: 'express', framework: 'express', setup: 'early', mechanism: 'auto.middleware.express', ways: EXPRESS_WAYS },
  { app: 'connect', framework: 'connect', setup: 'early', mechanism: 'auto.middleware.connect', ways: CONNECT_WAYS },
  { app: 'koa', framework: 'koa2', mechanism: 'auto.middleware.koa', ways: KOA_WAYS },
  { app: 'koa', framework: 'koa', mechanism: 'auto.middleware.koa', ways: KOA_WAYS },
  { app: 'hono', framework: 'hono', mechanism: 'auto.middleware.hono', ways: HONO_WAYS },
  { app: 'fastify', framework: 'fastify4', mechanism: 'auto.middleware.fastify', ways: FASTIFY_WAYS },
  { app: 'fastify', framework: 'fastify', mechanism: 'auto.middleware.fastify', ways: FASTIFY_WAYS },
  { app: 'hapi', framework: 'hapi20', mechanism: 'auto.middleware.hapi', ways: HAPI_WAYS },
  { app: 'nest', framework: 'nest10', mechanism: 'auto.middleware.nest', ways: NEST_WAYS, setup: 'module' },
  { app: 'nest', framework: './nest11.mjs', mechanism: 'auto.middleware.nest', ways: NEST_WAYS, setup: 'module' },
  { app: 'nest', framework: './nest11.mjs', mechanism: 'auto.middleware.nest', ways: NEST_WAYS, setup: 'application' },
  { app: 'nest', framework: 'nest12', mechanism: 'auto.middleware.nest', ways: NEST_12_WAYS, setup: 'module' },
  { app: 'nest', framework: 'nest12', mechanism: 'auto.middleware.nest', ways: NEST_12_WAYS, setup: 'application' },
  {
    app: 'nest',
    framework: 'nest12/fastify',
    mechanism: 'auto.middleware.nest',
    ways: NEST_12_WAYS,
    setup: 'module',
  },
  {
    app: 'nest',
    framework: 'nest12/fastify',
    mechanism: 'auto.middleware.nest',
    ways: NEST_12_WAYS,
    setup: 'application',
  },
  {
    app: 'nest-graphql',
    framework: 'nest12/graphql',
    entry: 'nest',
    mechanism: 'auto.middleware.nest',
    ways: NEST_GRAPHQL_WAYS,
  },
  {
    app: 'apollo',
    framework: 'apollo4',
    mechanism: 'auto.middleware.apollo',
    ways: { ...GRAPHQL_WAYS, uncoded: executed('{ uncoded }') },
  },
  {
    app: 'apollo',
    framework: '@apollo/server',
    mechanism: 'auto.middleware.apollo',
    ways: { ...GRAPHQL_WAYS, uncoded: executed('{ uncoded }') },
  },
  {
    app: 'yoga',
    framework: 'graphql-yoga',
    mechanism: 'auto.middleware.yoga',
    ways: { ...GRAPHQL_WAYS, uncoded: executed('{ uncoded }', NEVER) },
  },
  { app: 'node-http', setup: 'wrapped', mechanism: 'auto.middleware.node_http', ways: NODE_HTTP_WAYS },
  { app: 'fastify', framework: 'fastify4', setup: 'alone', mechanism: 'auto.middleware.fastify', ways: FASTIFY_WAYS },
  { app: 'fastify', framework: 'fastify', setup: 'alone', mechanism: 'auto.middleware.fastify', ways: FASTIFY_WAYS },
  { app: 'hapi', framework: '@hapi/hapi', mechanism: 'auto.middleware.hapi', ways: HAPI_WAYS },
];

interface Answer {
  readonly status?: number;
  readonly headers?: http.IncomingHttpHeaders;
  readonly body: string;
  readonly aborted: boolean;
}

function get(url: string): Promise<Answer> {
  return new Promise((resolve) => {
    const request = http
      .get(url, { agent: false }, (response) => {
        let body = '';
        // Some failures leave the answer without an end.
        request.setTimeout(1000);
        const { statusCode: status, headers } = response;
        delete headers.date;
        response.setEncoding('utf8').on('data', (chunk) => {
          body += chunk;
        });
        response
          .on('error', () => undefined)
          .on('close', () => resolve(withoutStack({ status, headers, body, aborted: !response.complete })));
      })
      .on('error', () => resolve({ body: '', aborted: true }));
    request.setTimeout(30_000, () => request.destroy());
  });
}

/** Frameworks answer with stacks, and our frames are in them. */
function withoutStack(answer: Answer): Answer {
  const [message, stack] = answer.body.split(/<br>|\n/, 2);
  if (!stack) return answer;
  return { ...answer, body: message!, headers: { ...answer.headers, 'content-length': undefined } };
}

type Answers = Readonly<Record<string, Answer>>;

/** Sends a request for each way to fail, one after the other. */
async function fail(url: string, ways: App['ways']): Promise<Answers> {
  const answers: Record<string, Answer> = {};
  for (const [way, { path = '/1' }] of Object.entries(ways)) answers[way] = await get(`${url}/${way}${path}`);
  return answers;
}

const START = { file: new URL('failures/start.mjs', import.meta.url) };
const BESIDE_OPEN_TELEMETRY = new URL('setup/beside.mjs', import.meta.url).href;

/** Applications that run in one process, each on a port of its own. */
interface Run {
  readonly receiver: Receiver;
  readonly urls: readonly string[];
  /** What each answered, in their order. */
  readonly answers: readonly Answers[];
}

/** Starts applications in one process, lets each fail in all its ways, one after the other, and ends it. */
async function failAll(apps: readonly App[], env: Record<string, string> = {}, execArgv: string[] = []): Promise<Run> {
  const receiver = await startReceiver();
  const started = apps.map(({ app, framework, entry, setup }) => ({ app, framework, entry, setup }));
  const service = await startService(
    { DSN: receiver.dsn, APPS: JSON.stringify(started), PRELOADED: execArgv.join(''), ...env },
    { ...START, execArgv },
  );
  const answers: Answers[] = [];
  for (const [index, { ways }] of apps.entries()) answers.push(await fail(service.urls[index]!, ways));
  await stopAndBalance(service, receiver);
  return { receiver, urls: service.urls, answers };
}

const runs = new Map<string, Promise<Run>>();

function runOnce(name: string, run: () => Promise<Run>): Promise<Run> {
  const begun = runs.get(name) ?? run();
  runs.set(name, begun);
  return begun;
}

/** The one for `node:http` listens to uncaught errors, which are not to reach it from other applications. */
const runsAlone = ({ app }: App) => app === 'node-http';

/** Applications share a process if they are beside OpenTelemetry, and otherwise if they are of one framework. */
const processOf = (one: App) => (one.isBeside ? `beside, ${runsAlone(one)}` : (one.entry ?? one.app));

/** The run that an application is part of. */
async function runOf(app: App): Promise<{ receiver: Receiver; url: string; others: string[]; answers: Answers }> {
  const apps = APPS.filter((one) => processOf(one) === processOf(app));
  const preload = app.isBeside ? ['--import', BESIDE_OPEN_TELEMETRY] : [];
  const { receiver, urls, answers } = await runOnce(processOf(app), () => failAll(apps, {}, preload));
  const index = apps.indexOf(app);
  return { receiver, url: urls[index]!, others: urls.filter((_, i) => i !== index), answers: answers[index]! };
}

const keyOf = ({ app, framework = '' }: App) => `${app} ${framework}`;

/** What an application answers without Faultline, which is the same for all ways to set its error handler up. */
async function answersWithout(app: App): Promise<Answers> {
  const first = new Map<string, App>();
  for (const one of APPS.filter((one) => runsAlone(one) === runsAlone(app))) {
    const { app: name, framework, mechanism, ways } = one;
    const known = first.get(keyOf(one));
    first.set(keyOf(one), { app: name, framework, mechanism, ways: { ...known?.ways, ...ways } });
  }
  const { answers } = await runOnce(`without, ${runsAlone(app)}`, () => failAll([...first.values()], { DSN: '' }));
  return answers[[...first.keys()].indexOf(keyOf(app))]!;
}

afterAll(async () => {
  for (const run of runs.values()) await run.then(({ receiver }) => receiver.close());
});

describe.each(APPS)('$framework ($app) $setup, beside OpenTelemetry: $isBeside', (app) => {
  const { ways, mechanism, isBeside } = app;
  let run: Awaited<ReturnType<typeof runOf>>;
  let expected: Answers;
  const nameOf = (way: string, transaction = `GET /${way}/:id`) =>
    transaction.replace(/^path$/, `GET /${way}/1`).replace(/^mount$/, `GET /${way}`);
  const isOwn = ({ request }: { request?: { url?: string } }) => !!request?.url?.startsWith(`${run.url}/`);
  const isOfOther = ({ request }: ReceivedErrorEvent) => run.others.some((url) => request?.url?.startsWith(`${url}/`));

  beforeAll(async () => {
    [run, expected] = await Promise.all([runOf(app), answersWithout(app)]);
  }, ALL_MILLIS);

  it.each(Object.entries(ways).map(([way, rest]) => ({ way, ...rest })))(
    '$way',
    ({ way, arrives = [way], transaction, operation = '', mechanism: type = mechanism }) => {
      expect(run.answers[way]).toEqual(expected[way]);
      const received = run.receiver.events.filter((event) => event.tags['way'] === way && isOwn(event));
      // Each event is a request of its own: they may arrive in any order.
      expect(received.map(({ exception }) => exception.values.at(-1)!.value).sort()).toEqual([...arrives].sort());
      for (const event of received) {
        expect(event.exception.values.at(-1)!.mechanism.type).toBe(type);
        expect(event.exception.values.at(-1)!.mechanism.handled).toBe(type === 'generic');
        expect(event.user.id).toBe(`user of ${way}`);
        expect(event.request.url).toContain(`/${way}`);
        expect(event.transaction.replace('{id}', ':id')).toBe(nameOf(way, transaction) + operation);
      }
      const requests = run.receiver.transactions.filter(
        (one) => isOwn(one) && new URL(one.request.url).pathname.startsWith(`/${way}/`),
      );
      expect(requests.map((one) => one.transaction.replace('{id}', ':id'))).toEqual([
        nameOf(way, transaction) + operation,
      ]);
      // Beside OpenTelemetry, the span of a request is that of its instrumentation.
      if (run.answers[way]!.aborted && !isBeside)
        expect(requests.map(({ contexts }) => contexts.trace.status)).toEqual(['internal_error']);
    },
  );

  it('sends nothing else', () => {
    const own = run.receiver.events.filter((event) => !isOfOther(event));
    expect(own.filter(({ tags }) => !((tags?.['way'] as string) in ways))).toEqual([]);
  });
});
