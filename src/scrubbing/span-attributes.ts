import { SpanKind } from '@opentelemetry/api';
import { MAX_STRING_LENGTH, truncate } from '../internal/values/strings.js';
import type { SpanAttributes } from '../model/event/span-json.js';
import { maskCredentials, maskText } from './credentials.js';
import { filterUnlessHarmless } from './harmless-strings.js';
import { filterHeader } from './headers.js';
import { obfuscateSql } from './obfuscate-sql.js';
import { FILTERED, type SensitiveNames } from './sensitive-names.js';
import { maskArguments } from './text/argument-lists.js';
import { filterText } from './text/structured-text.js';
import { filterPath, filterQuery, filterUrl } from './urls.js';

type FilterText = (text: string, names: SensitiveNames) => string;

/** Attributes that hold texts, URLs and parts of them, in the old and the stable spelling and as they are inferred. */
const TEXT_FILTERS = new Map<string, FilterText>([
  ['url.full', filterUrl],
  ['http.url', filterUrl],
  ['http.target', filterUrl],
  ['url', filterUrl],
  ['url.original', filterUrl],
  ['url.path', filterPath],
  ['url.query', filterQuery],
  ['http.query', filterQuery],
  ['url.fragment', filterQuery],
  ['http.fragment', filterQuery],
  ['db.connection_string', maskText],
  ['messaging.url', maskText],
  ['graphql.source', maskText],
  ['graphql.document', maskText],
  ['http.request.body', filterBody],
  ['http.response.body', filterBody],
  ['messaging.message.body', filterBody],
  ['exception.message', maskText],
  ['exception.stacktrace', maskText],
  ['code.stacktrace', maskText],
  ...namesIn(
    'gen_ai',
    'prompt completion system_instructions input.messages output.messages request.messages tool.definitions tool.input tool.output tool.call.arguments tool.call.result',
    maskText,
  ),
  ...namesIn('container', 'command command_line', maskText),
  ...namesIn('process', 'command title', maskText),
  ...namesIn('mcp', 'tool.arguments resource.uri', maskText),
  ...namesIn('log', 'message record.original', maskText),
  ...namesIn('db', 'name namespace query.summary', maskAddress),
  ...namesIn('messaging', 'destination.name client.id kafka.message.key message.conversation_id', maskAddress),
  ...namesIn('aws', 'sqs.queue.url s3.copy_source', maskAddress),
  ['error.message', maskText],
  ['error.type', maskAddress],
  ['otel.status_description', maskText],
  ['rpc.jsonrpc.error_message', maskText],
  ['http.request.body.content', filterBody],
  ['user_agent.original', maskAddress],
  ['http.user_agent', maskAddress],
  ['server.address', maskAddress],
  ['peer.service', maskAddress],
  ['url.template', maskAddress],
  ['file.path', maskAddress],
  ['vcs.repository.url.full', maskAddress],
  ['cicd.pipeline.run.url.full', maskAddress],
]);

function namesIn(namespace: string, names: string, filter: FilterText): [string, FilterText][] {
  return names.split(' ').map((name) => [`${namespace}.${name}`, filter]);
}

const COMMANDS = new Set(['process.command_args', 'process.command_line', 'container.command_args']);
const REDIS_LOGIN = /^\s*(auth)\s[\s\S]+/i;
const STATEMENTS = new Set(['db.statement', 'db.query.text']);
/** Values that statements run with, where instrumentations are told to record them. */
const STATEMENT_VALUES = /^db\.(?:(?:query|operation)\.parameter\.|\w+\.values$)/;
/** Variables of GraphQL operations and of the process, labels of pods: their names tell what they are. */
const NAMED = /^(?:graphql\.variables|process\.environment_variable|k8s\.\w+\.(?:annotation|label))\.(.+)$/;
const HEADER = /^(?:http|rpc)(?:\.\w+)?\.(?:request|response)\.(?:header|metadata)\.(.+)$/;
/** Whose address these are depends on the kind of the span: on servers, it is that of the user. */
const PEER_ADDRESSES = new Set(['network.peer.address', 'net.peer.ip', 'net.sock.peer.addr', 'net.peer.name']);
const CLIENT_ADDRESSES = new Set(['client.address', 'http.client_ip']);

/**
 * Takes out of a span's attributes, in place, what must not leave: credentials and secrets in URLs and headers, and
 * without `sendDefaultPii` the addresses of users and the values in statements. Keys that OpenTelemetry's conventions do
 * not define are the application's own and stay as they are.
 */
export function filterAttributes(data: SpanAttributes, kind: SpanKind | undefined, names: SensitiveNames): void {
  for (const key in data) {
    if (!mayBeSensitive(key)) continue;
    const value = cut(data[key]);
    if (value !== data[key]) data[key] = value;
    const filterText = TEXT_FILTERS.get(key);
    if (filterText) {
      if (typeof value === 'string') data[key] = filterText(value, names);
    } else if (COMMANDS.has(key)) {
      data[key] = maskArguments(value, names);
    } else if (HEADER.test(key)) {
      data[key] = filterHeader(headerNameOf(key), value, names);
    } else if (NAMED.test(key)) {
      if (names.hasField(key)) data[key] = FILTERED;
    } else if (STATEMENTS.has(key)) {
      const system = data['db.system.name'] || data['db.system'];
      if (typeof value === 'string') data[key] = filterStatement(value, system, names);
    } else if (names.filtersPersonalData) {
      data[key] = withoutPersonalData(key, value, kind);
    } else if (STATEMENT_VALUES.test(key)) {
      if (names.hasField(key)) data[key] = FILTERED;
    }
  }
}

/** Whether the value of an attribute may be changed by {@link filterAttributes}. */
export function isFiltered(key: string): boolean {
  const isListed = [TEXT_FILTERS, COMMANDS, STATEMENTS, PEER_ADDRESSES, CLIENT_ADDRESSES].some((list) => list.has(key));
  return isListed || [STATEMENT_VALUES, NAMED, HEADER].some((pattern) => pattern.test(key));
}

/** Bodies, which some instrumentations and their hooks record. */
function filterBody(text: string, names: SensitiveNames): string {
  return filterText(maskText(text, names), names);
}

/** A statement without credentials, and without `sendDefaultPii` without the values in it. */
export function filterStatement(statement: string, system: unknown, names: SensitiveNames): string {
  if (system === 'redis' && REDIS_LOGIN.test(statement)) return statement.replace(REDIS_LOGIN, `$1 ${FILTERED}`);
  if (names.filtersPersonalData) return maskCredentials(obfuscateSql(statement, system), names);
  return filterUnlessHarmless('(statement)', statement, names, maskText);
}

/** What is not sent is not searched: a statement may have megabytes. */
function cut<T>(value: T): T | string {
  return typeof value === 'string' ? truncate(value, MAX_STRING_LENGTH) : value;
}

/** For attributes that are mostly a plain name, but may be a URL, a connection string or SQL. */
function maskAddress(text: string, names: SensitiveNames): string {
  return /[=@']/.test(text) ? filterUnlessHarmless('(address)', text, names, maskText) : text;
}

const NAMESPACES = new Set(
  `aws cicd client code container db error exception file gen_ai graphql http k8s log mcp messaging net network otel peer
  process rpc server url user_agent vcs`.split(/\s+/),
);

/** Whether a key is in a namespace of OpenTelemetry. Other attributes cost no more than this look-up. */
function mayBeSensitive(key: string): boolean {
  const end = key.indexOf('.');
  return NAMESPACES.has(end < 0 ? key : key.slice(0, end));
}

function withoutPersonalData(
  key: string,
  value: SpanAttributes[string],
  kind: SpanKind | undefined,
): SpanAttributes[string] {
  if (STATEMENT_VALUES.test(key)) return FILTERED;
  if (CLIENT_ADDRESSES.has(key) || (kind === SpanKind.SERVER && PEER_ADDRESSES.has(key))) return undefined;
  return value;
}

/** Some instrumentations write names with underscores. */
function headerNameOf(key: string): string {
  return (HEADER.exec(key)?.[1] ?? '').toLowerCase().replaceAll('_', '-');
}
