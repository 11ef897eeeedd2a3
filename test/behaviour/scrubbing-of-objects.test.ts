import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { SpanKind } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { type ClientOptions, captureException, extraErrorDataIntegration, startSpan } from '../../src/index.js';
import { tell } from '../support/story.js';

const SECRET = 'x8Qz3vT6kW1';

const integrations: ClientOptions['integrations'] = (defaults) => [
  ...defaults.filter(({ name }) => name !== 'ContextLines'),
  extraErrorDataIntegration({ depth: 6 }),
];

/** Everything that the destination received. */
async function wireOf(options: ClientOptions, story: () => unknown): Promise<string> {
  let wire = '';
  await tell({ integrations, tracesSampleRate: 1, ...options }, story, ({ receiver }) => {
    wire = receiver.requests.map(({ body }) => body.toString()).join('\n');
  });
  return wire;
}

/** Of which an error or a span is made, with `kept` beside the secret. */
const OBJECTS: readonly (readonly [form: string, object: object])[] = [
  ['a name and a value', { name: 'password', value: SECRET, note: 'kept' }],
  ['a key and a value', { key: 'api_key', value: SECRET, note: 'kept' }],
  ['a parameter of a template', { ParameterKey: 'DBPassword', ParameterValue: SECRET, note: 'kept' }],
  ['a path and what was found', { path: '$.user.password', actual: SECRET, note: 'kept' }],
  ['a header', { headers: [{ name: 'Authorization', value: SECRET }], note: 'kept' }],
  ['a path and what was received', { path: ['user', 'password'], received: SECRET, note: 'kept' }],
  ['a symmetric JSON Web Key', { kty: 'oct', k: SECRET, note: 'kept' }],
  ['a private JSON Web Key', { kty: 'EC', crv: 'P-256', d: SECRET, note: 'kept' }],
  ['a statement with values', { text: 'UPDATE users SET password = $1', values: [SECRET], note: 'kept' }],
  ['a grant', { grant_type: 'authorization_code', code: SECRET, note: 'kept' }],
  ['a salt', { salt: SECRET, note: 'kept' }],
  ['a name of a member', { [`password=${SECRET}`]: 1, note: 'kept' }],
  ['a long name of a member', { [`amqp://service:${SECRET}@rabbit.internal:5672/x`]: 1, note: 'kept' }],
  ['the arguments of a command', { args: ['redis-cli', '-a', SECRET], note: 'kept' }],
  ['a list of names and values', { form: ['password', SECRET], note: 'kept' }],
];

describe.each(OBJECTS)('%s', (_, object) => {
  it.each<[string, () => unknown]>([
    ['a thrown object', () => captureException(object)],
    ['a property of an error', () => captureException(Object.assign(new Error('x'), { object }))],
    ['the cause of an error', () => captureException(new Error('x', { cause: object }))],
  ])('does not leave in %s', async (_way, story) => {
    const wire = await wireOf({}, story);
    expect(wire).toContain('kept');
    expect(wire).not.toContain(SECRET);
  });
});

it('two names of members that are filtered stay two', async () => {
  const wire = await wireOf({}, () =>
    captureException({ 'amqp://me:x8Qz3vT6kW1@h': 'kept-1', 'amqp://me:y9Ra4wU7lX2@h': 'kept-2' }),
  );
  expect(wire).toContain('"amqp://[filtered]:[filtered]@h":"kept-1","amqp://[filtered]:[filtered]@h 2":"kept-2"');
});

it('what validators, tables and settings say beside a name of a credential leaves', async () => {
  const object = {
    issues: [
      { path: ['password'], message: 'kept-1' },
      { field: 'token', code: 'kept-2' },
      { name: 'user', value: 'kept-3' },
    ],
    definition: { name: 'password', nullable: 'kept-4' },
    query: { text: 'SELECT * FROM users WHERE id = $1', values: ['kept-5'] },
    geometry: { kty: 'none', k: 'kept-6', d: 'kept-7' },
    dish: { salt: 'kept-8' },
  };
  const wire = await wireOf({}, () => captureException(Object.assign(new Error('x'), object)));
  for (let i = 1; i <= 8; i++) expect(wire).toContain(`kept-${i}`);
});

describe('what libraries add to errors of system calls does not leave', () => {
  const refused = () => new Promise<Error>((resolve) => connect(1, '127.0.0.1').on('error', resolve));

  it.each<[string, object]>([
    ['a password', { password: SECRET }],
    ['headers', { config: { headers: { Authorization: `Bearer ${SECRET}` } } }],
    ['a URL', { config: { url: `https://a.test/?token=${SECRET}` } }],
    ['a body', { config: { data: JSON.stringify({ password: SECRET }) } }],
    ['raw headers', { rawHeaders: ['X-Api-Key', SECRET] }],
  ])('%s', async (_, data) => {
    for (const sendDefaultPii of [false, true]) {
      const wire = await wireOf({ sendDefaultPii }, async () => captureException(Object.assign(await refused(), data)));
      expect(wire).toContain('"node_system_error":{"errno"');
      expect(wire).not.toContain(SECRET);
    }
  });

  it.each<[string, string[]]>([
    ['/nowhere/redis-cli', ['-h', 'kept', '-a', SECRET]],
    ['/nowhere/mysql', ['-uroot', `-p${SECRET}`, 'kept']],
    ['/nowhere/curl', ['-u', `me:${SECRET}`, 'https://kept.test']],
    ['/nowhere/tool', ['--password', SECRET, 'kept']],
    ['/nowhere/tool', [`postgres://me:${SECRET}@h/d`, 'kept']],
  ])('arguments of %s, with personal data', async (command, args) => {
    const wire = await wireOf({ sendDefaultPii: true }, async () => {
      captureException(await new Promise((resolve) => spawn(command, args).on('error', resolve)));
    });
    expect(wire).toContain('kept');
    expect(wire).not.toContain(SECRET);
  });
});

it.each<[string, string]>([
  ['db.statement', `UPDATE users SET password = '${SECRET}' WHERE name = 'kept'`],
  ['db.query.text', `ALTER USER kept PASSWORD '${SECRET}'`],
  ['db.query.parameter.password', SECRET],
  ['url.original', `https://kept.test/?token=${SECRET}`],
  ['http.request.body', `{"note":"kept","password":"${SECRET}"}`],
])('credentials in %s do not leave with personal data either', async (key, value) => {
  const wire = await wireOf({ sendDefaultPii: true }, () =>
    startSpan({ name: 'kept', attributes: { [key]: value, 'db.system.name': 'postgresql' } }, () => 0),
  );
  expect(wire).toContain('kept');
  expect(wire).not.toContain(SECRET);
});

it.each([`GET https://kept.test/?token=${SECRET}`, `GET /kept/reset-password/${SECRET}`])(
  'the name of a span %s leaves without the token',
  async (name) => {
    for (const kind of [SpanKind.INTERNAL, SpanKind.CLIENT, SpanKind.SERVER]) {
      const wire = await wireOf({}, () => startSpan({ name, kind }, () => startSpan({ name, kind }, () => 0)));
      expect(wire).toContain('kept');
      expect(wire).not.toContain(SECRET);
    }
  },
);
