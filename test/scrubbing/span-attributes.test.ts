import { SpanKind } from '@opentelemetry/api';
import { expect, it } from 'vitest';
import type { SpanAttributes } from '../../src/model/event/span-json.js';
import { sensitiveNames } from '../../src/scrubbing/sensitive-names.js';
import { filterAttributes } from '../../src/scrubbing/span-attributes.js';

const { SERVER, CLIENT } = SpanKind;

const ANY_FILTERED = expect.stringMatching(/\[filtered\]/i);

function filter(attributes: SpanAttributes, kind: SpanKind, sendDefaultPii: boolean): SpanAttributes {
  const data = { ...attributes };
  filterAttributes(data, kind, sensitiveNames(sendDefaultPii));
  return data;
}

it.each<[key: string, value: string, kind: SpanKind, without: unknown, withPersonalData: unknown]>([
  [
    'url.full',
    'https://a.test/?token=x',
    CLIENT,
    'https://a.test/?token=[Filtered]',
    'https://a.test/?token=[Filtered]',
  ],
  ['http.url', 'https://a.test/?email=x', CLIENT, 'https://a.test/?email=[Filtered]', 'https://a.test/?email=x'],
  ['http.target', '/a?sid=x', SERVER, '/a?sid=[Filtered]', '/a?sid=[Filtered]'],
  ['url.path', '/a;sid=x', SERVER, '/a;sid=[Filtered]', '/a;sid=[Filtered]'],
  ['url.query', '?pin=1', SERVER, '?pin=[Filtered]', '?pin=[Filtered]'],
  ['http.query', 'pin=1', SERVER, 'pin=[Filtered]', 'pin=[Filtered]'],
  ['http.fragment', 'id_token=x', CLIENT, 'id_token=[Filtered]', 'id_token=[Filtered]'],
  ['http.request.header.x_api_key', 'x', SERVER, '[Filtered]', '[Filtered]'],
  ['http.request.header.x-real-ip', 'x', SERVER, '[Filtered]', 'x'],
  ['http.request.header.accept', 'x', SERVER, 'x', 'x'],
  ['rpc.grpc.request.metadata.authorization', 'x', CLIENT, '[Filtered]', '[Filtered]'],
  ['client.address', 'x', SERVER, undefined, 'x'],
  ['network.peer.address', 'x', SERVER, undefined, 'x'],
  ['network.peer.address', 'x', CLIENT, 'x', 'x'],
  ['net.peer.ip', 'x', SERVER, undefined, 'x'],
  ['db.statement', "SELECT 'x'", CLIENT, 'SELECT ?', "SELECT 'x'"],
  ['db.query.text', "SELECT 'x'", CLIENT, 'SELECT ?', "SELECT 'x'"],
  [
    'db.statement',
    'ATTACH postgres://admin:Hunter2Secret9xYz@db/x AS x',
    CLIENT,
    'ATTACH postgres://[filtered]:[filtered]@db/x AS x',
    'ATTACH postgres://[filtered]:[filtered]@db/x AS x',
  ],
  [
    'db.statement',
    'UPDATE users SET password=$1,token=$2 WHERE refresh_token=$3',
    CLIENT,
    'UPDATE users SET password=$1,token=$2 WHERE refresh_token=$3',
    expect.any(String),
  ],
  ['db.query.parameter.0', 'x', CLIENT, '[Filtered]', 'x'],
  ['db.postgresql.values', 'x', CLIENT, '[Filtered]', 'x'],
  ['db.connection_string', 'pg://a:x@b', CLIENT, 'pg://[filtered]:[filtered]@b', 'pg://[filtered]:[filtered]@b'],
  ['db.connection_string', 'Server=x;Pwd=y;', CLIENT, 'Server=x;Pwd=[Filtered];', 'Server=x;Pwd=[Filtered];'],
  ['process.command_line', 'a --password x', CLIENT, 'a --password [Filtered]', 'a --password [Filtered]'],
  ['messaging.url', 'amqp://a:x@b', CLIENT, 'amqp://[filtered]:[filtered]@b', 'amqp://[filtered]:[filtered]@b'],
  ['graphql.source', '{ a(token: "x") }', SERVER, '{ a(token: "[Filtered]") }', '{ a(token: "[Filtered]") }'],
  ['graphql.document', '{ a(token: "x") }', SERVER, '{ a(token: "[Filtered]") }', '{ a(token: "[Filtered]") }'],
  ['graphql.variables.password', 'x', SERVER, '[Filtered]', '[Filtered]'],
  ['process.environment_variable.DB_PASSWORD', 'x', SERVER, '[Filtered]', '[Filtered]'],
  ['process.environment_variable.HOME', 'x', SERVER, 'x', 'x'],
  ['k8s.pod.annotation.db-password', 'x', SERVER, '[Filtered]', '[Filtered]'],
  ['gen_ai.input.messages', '[{"content":"password: hunter2"}]', CLIENT, ANY_FILTERED, ANY_FILTERED],
  ['gen_ai.tool.call.arguments', '{"password":"x"}', CLIENT, '{"password":"[Filtered]"}', '{"password":"[Filtered]"}'],
  ['container.command_line', 'a --password x', CLIENT, 'a --password [Filtered]', 'a --password [Filtered]'],
  ['db.namespace', 'Server=x;Pwd=y', CLIENT, 'Server=x;Pwd=[Filtered]', 'Server=x;Pwd=[Filtered]'],
  ['vcs.repository.url.full', 'https://a:x@b/c', CLIENT, ANY_FILTERED, ANY_FILTERED],
  ['user_agent.original', 'git/2.0 (token=x8Qz3vT6kW1)', SERVER, ANY_FILTERED, ANY_FILTERED],
  ['db.namespace', '0', CLIENT, '0', '0'],
  ['server.address', 'db.test', CLIENT, 'db.test', 'db.test'],
  ['graphql.variables.page', 'x', SERVER, 'x', 'x'],
  ['exception.message', 'password=x', SERVER, 'password=[Filtered]', 'password=[Filtered]'],
  [
    'exception.stacktrace',
    'Error: token=x\n at a',
    SERVER,
    'Error: token=[Filtered]\n at a',
    'Error: token=[Filtered]\n at a',
  ],
  ['code.stacktrace', 'Error: token=x', SERVER, 'Error: token=[Filtered]', 'Error: token=[Filtered]'],
  ['shop.password', 'x', CLIENT, 'x', 'x'],
  ['token', 'x', CLIENT, 'x', 'x'],
])('of %s: %j on a span of kind %i, %j leaves, and %j with personal data', (key, value, kind, ...expected) => {
  expect([filter({ [key]: value }, kind, false)[key], filter({ [key]: value }, kind, true)[key]]).toEqual(expected);
});

it('values that are no texts stay', () => {
  const attributes = { 'url.full': 5, 'db.statement': ['a'], 'http.target': true } as unknown as SpanAttributes;
  expect(filter(attributes, CLIENT, false)).toEqual(attributes);
});

it('a list of texts loses its secrets, and what is not sent of them is not searched', () => {
  const key = 'gen_ai.prompt';
  expect(filter({ [key]: ['password: hunter2', 'hello'] }, CLIENT, true)[key]).toEqual([
    'password: [Filtered]',
    'hello',
  ]);
  const [text] = filter({ [key]: ['x '.repeat(100_000)] }, CLIENT, true)[key] as string[];
  expect(text).toHaveLength(16 * 1024 + '...'.length);
});

it('the arguments of a command lose their secrets', () => {
  const args = ['tool', '--password', 'x', '--verbose', '--token=x', 'file'];
  const filtered = ['tool', '--password', '[Filtered]', '--verbose', '--token=[Filtered]', 'file'];
  const key = 'process.command_args';
  expect(filter({ [key]: args }, CLIENT, true)[key]).toEqual(filtered);
});

it('what logs in to Redis is taken out of the statement', () => {
  expect(filter({ 'db.system': 'redis', 'db.statement': 'auth default hunter' }, CLIENT, false)).toMatchObject({
    'db.statement': 'auth [Filtered]',
  });
});

it.each([
  ['GET sess:x8Qz3vT6kW1', 'GET sess:[Filtered]'],
  ['SETEX reset:x8Qz3vT6kW1x8Qz3vT6kW1 3600 7', 'SETEX reset:[Filtered] ?'],
  ['DEL refresh_token:x8Qz3vT6kW1', 'DEL refresh_token:[Filtered]'],
  ['GET user:42:sessions', 'GET user:42:sessions'],
  ['GET tokens:count:2026-01-01', 'GET tokens:count:2026-01-01'],
])('what is secret in a key of Redis is taken out: %s', (statement, expected) => {
  const filtered = filter({ 'db.system': 'redis', 'db.statement': statement }, CLIENT, false);
  expect(filtered['db.statement']).toBe(expected);
});
