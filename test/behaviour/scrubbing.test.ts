import { SpanKind } from '@opentelemetry/api';
import { describe, expect, it, vi } from 'vitest';
import {
  addBreadcrumb,
  type ClientOptions,
  captureException,
  captureMessage,
  extraErrorDataIntegration,
  setContext,
  setExtra,
  setTag,
  setUser,
  startSpan,
} from '../../src/index.js';
import { MORE_SECRET_TEXTS, MORE_TOKENS, SECRET_TEXTS, TOKENS } from '../scrubbing/corpus.js';
import { HARMLESS_TEXTS_BY_ORIGIN, SECRET_TEXTS_BY_ORIGIN, TOKENS_BY_ORIGIN } from '../scrubbing/corpus-by-origin.js';
import { eventually } from '../support/eventually.js';
import { tell } from '../support/story.js';

const withoutSourceLines: ClientOptions['integrations'] = (defaults) =>
  defaults.filter(({ name }) => name !== 'ContextLines');

/** How many an event has at most, by default. */
const MAX_BREADCRUMBS = 100;

const withErrorData: ClientOptions['integrations'] = (defaults) => [
  ...defaults.filter(({ name }) => name !== 'ContextLines'),
  extraErrorDataIntegration({ depth: 5 }),
];

/** Everything that the destination received. */
async function wireOf(options: ClientOptions, story: () => unknown): Promise<string> {
  let wire = '';
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await tell(
    {
      integrations: withoutSourceLines,
      tracesSampleRate: 1,
      maxValueLength: 0,
      // Some stories throw hundreds of objects without a message, which a fast machine takes for a storm.
      maxSameErrorsPerSecond: Number.POSITIVE_INFINITY,
      ...options,
    },
    story,
    ({ receiver }) => {
      wire = receiver.requests.map(({ body }) => body.toString()).join('\n');
    },
  );
  vi.restoreAllMocks();
  return wire;
}

function andCapture(_: unknown): void {
  captureMessage('x');
}

function inSpan(key: string, value: string): void {
  startSpan({ name: 'x', attributes: { [key]: value } }, () => 0);
}

/** A story that tells of each string by itself. */
function each(tell: (string: string) => unknown): (strings: readonly string[]) => void {
  return (strings) => {
    for (const string of strings) tell(string);
  };
}

/** A story that makes a breadcrumb of each string, and captures as often as an event's breadcrumbs are full. */
function asBreadcrumbs(log: (string: string) => unknown): (strings: readonly string[]) => void {
  return (strings) => {
    for (let start = 0; start < strings.length; start += MAX_BREADCRUMBS) {
      for (const string of strings.slice(start, start + MAX_BREADCRUMBS)) log(string);
      captureMessage('x');
    }
  };
}

describe('scrubbing.fields', () => {
  const fields = ['employeeNo', /^x_.*_ref$/];

  it.each<[string, () => unknown]>([
    ['a thrown object', () => captureException({ employee_no: 'leak' })],
    ['the message of an error', () => captureException(new Error('https://a.test/?employeeNo=leak'))],
    ['what is logged', () => andCapture(console.log({ 'employee-no': 'leak' }))],
    ['a logged string', () => andCapture(console.log('{"EmployeeNo":"leak"}'))],
    [
      'a URL in a span',
      () => startSpan({ name: 'x', attributes: { 'url.full': 'https://a.test/?x_a_ref=leak' } }, () => 0),
    ],
    ['an attribute', () => startSpan({ name: 'x', attributes: { employee_no: 'leak' } }, () => 0)],
    ['a breadcrumb', () => andCapture(addBreadcrumb({ data: { a: [{ x_b_ref: 'leak' }] } }))],
    ['a tag', () => andCapture(setTag('employee.no', 'leak'))],
    ['extra data', () => andCapture(setExtra('form', { new_employee_no: 'leak' }))],
    ['a context', () => andCapture(setContext('hr', { x_c_ref: 'leak' }))],
  ])('filters the names in %s', async (_, story) => {
    const wire = await wireOf({ scrubbing: { fields } }, story);
    expect(wire).toMatch(/\[Filtered\]|%5BFiltered%5D/);
    expect(wire).not.toContain('leak');
  });

  it.each<[string, (string: string) => unknown]>([
    ['a message', (string) => captureMessage(string)],
    ['extra data', (string) => andCapture(setExtra('note', { deep: [string] }))],
    ['a context', (string) => andCapture(setContext('hr', { note: string }))],
    ['a tag', (string) => andCapture(setTag('note', string))],
    ['a breadcrumb', (string) => andCapture(addBreadcrumb({ message: string, data: { note: string } }))],
    ['an attribute', (string) => inSpan('note', string)],
    ['the name of a span', (string) => startSpan({ name: string }, () => 0)],
  ])('and scrubbing.headers reach into strings of %s', async (_, story) => {
    const strings = ['employeeNo=leak', '{"employee-no":"leak"}', "{ EmployeeNo: 'leak' }", 'employee no: leak, kept'];
    for (const string of [...strings, 'X-Tenant: leak', '?a=b&employeeNo=leak']) {
      const wire = await wireOf({ scrubbing: { fields, headers: ['x-tenant'] } }, () => story(string));
      expect(wire).toContain('[Filtered]');
      expect(wire).not.toContain('leak');
    }
    const harmless = 'no password=of the application, and the employee has no number';
    // A busy machine may stop the search for a pattern, which then filters everything for five seconds.
    await eventually(async () => {
      expect(await wireOf({ scrubbing: { fields } }, () => story(harmless))).toContain(harmless);
    });
  });

  it('do not reach into strings under names that are allowed', async () => {
    const wire = await wireOf({ scrubbing: { fields: ['badge'], allow: ['badge_color'] } }, () =>
      captureMessage('badge=leak badge_color=red'),
    );
    expect(wire).toContain('badge=[Filtered] badge_color=red');
  });

  it("leaves the application's data alone under other names", async () => {
    const wire = await wireOf({ scrubbing: { fields } }, () => {
      setExtra('password', 'of the application');
      captureMessage('x');
    });
    expect(wire).toContain('of the application');
  });
});

it('scrubbing.headers filters headers by name, on spans of every kind', async () => {
  for (const kind of [SpanKind.INTERNAL, SpanKind.SERVER, SpanKind.CLIENT, SpanKind.PRODUCER, SpanKind.CONSUMER]) {
    const wire = await wireOf({ scrubbing: { headers: ['X-Tenant', /^x-corp-/] } }, () =>
      startSpan(
        {
          name: 'x',
          kind,
          attributes: {
            'http.request.header.x-tenant': ['leak-1'],
            'http.response.header.x_corp_id': ['leak-2'],
            'http.request.header.authorization': ['leak-3'],
            'http.request.header.accept': ['text/html'],
            'rpc.request.metadata.x-api-key': ['leak-4'],
          },
        },
        () => 0,
      ),
    );
    expect(wire).toContain('text/html');
    expect(wire).not.toContain('leak');
  }
});

/** Spans become JSON at once, unless the application's code may see them. */
describe.each<[string, ClientOptions]>([
  ['that the application may see', {}],
  ['that nothing sees', { integrations: undefined }],
])('spans %s', (_, options) => {
  it.each([SpanKind.INTERNAL, SpanKind.SERVER, SpanKind.CLIENT])(
    'of kind %i lose secrets in attributes',
    async (kind) => {
      const attributes = {
        'graphql.document': 'mutation { login(password: "leak-1") { id } }',
        'graphql.variables.token': 'leak-2',
        'messaging.url': 'amqp://me:leak-3@mq',
        'exception.message': 'password=leak-4',
        'url.full': 'https://a.test/?token=leak-5',
      };
      const wire = await wireOf(options, () =>
        startSpan({ name: 'root', kind, attributes }, () => startSpan({ name: 'child', kind, attributes }, () => 0)),
      );
      expect(wire).toContain('"child"');
      expect(wire).not.toContain('leak');
    },
  );

  it.each([SpanKind.INTERNAL, SpanKind.SERVER, SpanKind.CLIENT])('of kind %i lose secrets in names', async (kind) => {
    const name = 'call https://me:leak@a.test/?token=leak';
    const wire = await wireOf(options, () => startSpan({ name, kind }, () => startSpan({ name, kind }, () => 0)));
    expect(wire).toContain('call https://');
    expect(wire).not.toContain('leak');
  });
});

describe('scrubbing.patterns', () => {
  const story = () => {
    setTag('account', 'ACC-1111');
    setExtra('note', { deep: ['about ACC-2222'] });
    addBreadcrumb({ message: 'read ACC-3333', data: { url: '/ACC-4444' } });
    console.log('ACC-5555');
    captureException(new Error(`${'x'.repeat(30)} ACC-6666`));
    startSpan({ name: 'ACC-7777', attributes: { key: 'ACC-8888' } }, () => startSpan({ name: 'ACC-9999' }, () => 0));
  };

  it.each([/ACC-\d+/, /ACC-\d+/g, /ACC-\d+/y, /acc-\d+/giy, 'ACC-'])(
    '%s is replaced wherever it is',
    async (pattern) => {
      const wire = await wireOf({ scrubbing: { patterns: [pattern] } }, story);
      expect(wire).not.toContain('ACC-');
      expect(wire).toContain('about [Filtered]');
    },
  );

  it('is replaced in names of members, tags and attributes, and two of them stay two', async () => {
    await tell(
      { scrubbing: { patterns: [/ACC-\d+/, 'email'] }, tracesSampleRate: 1 },
      () => {
        setTag('ACC-1', 'a');
        setUser({ email: 'of@the.user' });
        setExtra('by account', { 'ACC-2': 1, 'ACC-3': 2 });
        addBreadcrumb({ category: 'ACC-4', data: { 'ACC-5': 1 } });
        startSpan({ name: 'x', attributes: { 'ACC-6': 1 } }, (span) => {
          span.addLink({ context: span.spanContext(), attributes: { 'ACC-7': 'ACC-8' } });
          captureMessage('x');
        });
      },
      ({ receiver: { events, transactions, requests } }) => {
        expect(requests.map(({ body }) => body.toString()).join()).not.toContain('ACC-');
        expect(events[0]?.extra?.['by account']).toEqual({ '[Filtered]': 1, '[Filtered] 2': 2 });
        expect(events[0]?.tags).toEqual({ '[Filtered]': 'a' });
        expect(events[0]?.user).toEqual({ email: 'of@the.user' });
        expect(transactions).toHaveLength(1);
      },
    );
  });

  it('sees a text before it is cut', async () => {
    const wire = await wireOf({ scrubbing: { patterns: [/ACC-\d+/] }, maxValueLength: 36 }, story);
    expect(wire).not.toContain('ACC-');
  });

  it('that matches an id of the protocol does not change it', async () => {
    await tell(
      { scrubbing: { patterns: [/[0-9a-f]{16,}/] }, tracesSampleRate: 1 },
      () => startSpan({ name: 'x' }, () => captureMessage('0123456789abcdef')),
      ({ receiver: { events, transactions } }) => {
        expect(events[0]?.message).toBe('[Filtered]');
        expect(events[0]?.contexts.trace.trace_id).toBe(transactions[0]?.contexts.trace.trace_id);
      },
    );
  });

  it('that takes exponential time is interrupted, and filters what it could not search', async () => {
    const text = `${'a'.repeat(50)}!`;
    const wire = await wireOf({ scrubbing: { patterns: [/(a+)+$/], fields: [/^(b+)+$/] } }, () => {
      for (let i = 0; i < 50; i++) {
        captureMessage(text);
        setExtra(`${'b'.repeat(50)}!${i}`, 'leak');
      }
    });
    expect(wire).not.toContain(text);
    expect(wire).not.toContain('leak');
  });

  it('that matches nothing changes nothing', async () => {
    expect(await wireOf({ scrubbing: { patterns: [/x*/] } }, () => captureMessage('abc'))).toContain('"abc"');
  });
});

it('scrubbing.allow exempts names and, by patterns, tokens', async () => {
  const wire = await wireOf({ scrubbing: { allow: ['design_token', 'x-api-key', /^sk_test_/] } }, () => {
    captureException({ designToken: 'kept-1', token: 'leak-1' });
    captureException(new Error('design_token=kept-2 token=leak-2'));
    captureException(new Error(`sk_test_kept3kept3 and sk_live_${'leak3leak3'}`));
    startSpan({ name: 'x', attributes: { 'http.request.header.x-api-key': ['kept-4'] } }, () => 0);
  });
  for (const kept of ['kept-1', 'kept-2', 'sk_test_kept3kept3', 'kept-4']) expect(wire).toContain(kept);
  expect(wire).not.toContain('leak');
});

describe('nothing of the corpus leaves', () => {
  const secret = 'x8Qz3vT6kW1';
  const texts = [...SECRET_TEXTS, ...MORE_SECRET_TEXTS, ...SECRET_TEXTS_BY_ORIGIN];
  const strings = texts.map((string) => string.replaceAll('SECRET', secret));
  const tokens = [...TOKENS, ...MORE_TOKENS, ...TOKENS_BY_ORIGIN].map(([, token]) => token);

  it.each<[string, (strings: string[]) => unknown]>([
    ['the messages of errors', each((string) => captureException(new Error(string)))],
    ['thrown objects', each((string) => captureException({ note: string }))],
    ['logged strings', asBreadcrumbs((string) => console.log(string))],
    ['logged objects', asBreadcrumbs((string) => console.log({ note: string }))],
    ['logged objects within others', asBreadcrumbs((string) => console.log({ a: [{ note: JSON.stringify(string) }] }))],
    ['formatted messages', asBreadcrumbs((string) => console.log('failed: %s', string))],
    ['properties of errors', each((string) => captureException(Object.assign(new Error('x'), { note: string }), {}))],
    ['causes', each((string) => captureException(new Error('x', { cause: new Error(string) })))],
    ['commands of spans', each((string) => inSpan('process.command_line', string))],
  ])(
    'in %s',
    async (_, story) => {
      const wire = await wireOf({ integrations: withErrorData }, () => story([...strings, ...tokens]));
      expect(wire).not.toContain(secret);
      for (const token of tokens) expect(wire).not.toContain(JSON.stringify(token).slice(1, -1));
    },
    120_000,
  );
});

it.each<[string, (strings: readonly string[]) => unknown]>([
  ['messages of errors', each((string) => captureException(new Error(string)))],
  ['logged strings', asBreadcrumbs((string) => console.log(string))],
])('what only looks like a credential leaves in %s', async (_, story) => {
  const wire = await wireOf({}, () => story(HARMLESS_TEXTS_BY_ORIGIN));
  for (const text of HARMLESS_TEXTS_BY_ORIGIN) expect(wire).toContain(JSON.stringify(text).slice(1, -1));
});

it.each<[string, (args: string[]) => unknown]>([
  ['a property of an error', (spawnargs) => captureException(Object.assign(new Error('x'), { spawnargs }))],
  [
    'the cause of an error',
    (args) => captureException(new Error('x', { cause: Object.assign(new Error(), { args }) })),
  ],
  ['a thrown object', (args) => captureException({ args })],
  ['a span', (args) => startSpan({ name: 'x', attributes: { 'process.command_args': args } }, () => 0)],
])('the value after the name of a credential does not leave in a list of %s', async (_, story) => {
  const wire = await wireOf({ integrations: withErrorData }, () => story(['tool', '--password', 'leak', 'kept']));
  expect(wire).toContain('kept');
  expect(wire).not.toContain('leak');
});

it.each<[string, ClientOptions]>([
  ['by default', {}],
  ['with its properties', { integrations: withErrorData }],
])('credentials in the name of an error do not leave, %s', async (_, options) => {
  const error = Object.assign(new Error('x'), { name: 'password=leak', code: 'kept' });
  expect(await wireOf(options, () => captureException(error))).not.toContain('leak');
});

it('scrubbing.patterns apply to names of errors', async () => {
  const error = Object.assign(new Error('x'), { name: 'ACC-1' });
  expect(await wireOf({ scrubbing: { patterns: [/ACC-\d/] } }, () => captureException(error))).not.toContain('ACC-1');
});

it('a credential as the name of a function does not leave', async () => {
  const key = `sk_live_${'Zk3vQ9xLp2Rw7Ty5Uc8Nd1Bg'}`;
  const functions = { [key]: () => new Error('a'), aFunctionWithALongName2: () => new Error('b') };
  const wire = await wireOf({ integrations: withoutSourceLines }, () => {
    for (const create of Object.values(functions)) captureException(create());
  });
  expect(wire).not.toContain(key);
  expect(wire).toContain('aFunctionWithALongName2');
});

it('credentials in the URLs of code that was loaded from there do not leave', async () => {
  const error = new Error('a');
  error.stack = 'Error: a\n    at b (https://me:hunter2x@cdn.test/app.js?token=hunter3x&v=2:1:1)';
  await tell(
    { integrations: withoutSourceLines },
    () => captureException(error),
    ({ receiver }) => {
      const [frame] = receiver.events[0]!.exception.values[0].stacktrace.frames.slice(-1);
      expect(frame.filename).toBe('https://[filtered]:[filtered]@cdn.test/app.js?token=[Filtered]&v=2');
    },
  );
});
