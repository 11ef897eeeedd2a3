import { SpanKind } from '@opentelemetry/api';
import { MAX_STRING_LENGTH, truncate } from '../internal/values/strings.js';
import type { SpanAttributes } from '../model/event/span-json.js';
import { maskCredentials, maskText } from './credentials.js';
import { filterUnlessHarmless } from './harmless-strings.js';
import { filterHeader } from './headers.js';
import { maskJson } from './mask-json.js';
import { obfuscateSql } from './obfuscate-sql.js';
import { FILTERED, type SensitiveNames } from './sensitive-names.js';
import { filterText } from './text/structured-text.js';
import { filterPath, filterQuery, filterUrl } from './urls.js';

type FilterText = (text: string, names: SensitiveNames) => string;

const ofAttributes = (filter: FilterText, keys: string) => keys.split(/\s+/).map((key) => [key, filter] as const);

/** Attributes that hold URLs, parts of them, bodies and addresses, in the old and the stable spelling and as they are inferred. */
const TEXT_FILTERS = new Map<string, FilterText>([
  ...ofAttributes(filterUrl, 'url.full http.url http.target url url.original'),
  ...ofAttributes(filterPath, 'url.path'),
  ...ofAttributes(filterQuery, 'url.query http.query url.fragment http.fragment'),
  ...ofAttributes(filterBody, 'http.request.body http.request.body.content http.response.body messaging.message.body'),
  ...ofAttributes(
    maskAddress,
    `db.name db.namespace db.query.summary messaging.destination.name messaging.client.id messaging.kafka.message.key
    messaging.message.conversation_id aws.sqs.queue.url aws.s3.copy_source error.type user_agent.original http.user_agent
    server.address peer.service url.template file.path vcs.repository.url.full cicd.pipeline.run.url.full`,
  ),
]);
/** Attributes that hold texts and commands. */
const TEXTS = new Set(
  `container.command container.command_args container.command_line db.connection_string code.stacktrace error.message
  exception.message exception.stacktrace gen_ai.completion gen_ai.input.messages gen_ai.output.messages gen_ai.prompt
  gen_ai.request.messages gen_ai.system_instructions gen_ai.tool.call.arguments gen_ai.tool.call.result
  gen_ai.tool.definitions gen_ai.tool.input gen_ai.tool.output graphql.document graphql.source log.message
  log.record.original mcp.resource.uri mcp.tool.arguments messaging.url otel.status_description process.command
  process.command_args process.command_line process.title rpc.jsonrpc.error_message`.split(/\s+/),
);
const REDIS_LOGIN = /^\s*(auth)\s[\s\S]+/i;
/** The key of a session, or of what is sent to sign in: `GET sess:x8Qz3vT6kW1`. */
const SECRET_KEY = /^\s*\w+\s[^\s=]*(?:sess|token|reset|verif|invit|magic|otp)[^\s=]*:[^\s=]{8}/i;
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
    } else if (TEXTS.has(key)) {
      data[key] = maskJson(Array.isArray(value) ? value.map(cut) : value, names) as typeof value;
    } else if (HEADER.test(key)) {
      data[key] = filterHeader(headerNameOf(key), value, names);
    } else if (NAMED.test(key)) {
      if (names.hasField(key)) data[key] = FILTERED;
    } else if (STATEMENTS.has(key)) {
      const system = data['db.system.name'] || data['db.system'];
      if (typeof value === 'string') data[key] = filterStatement(value, system, names);
    } else if (STATEMENT_VALUES.test(key)) {
      if (names.filtersPersonalData || names.hasField(key)) data[key] = FILTERED;
    } else if (names.filtersPersonalData && isAddressOfUser(key, kind)) {
      data[key] = undefined;
    }
  }
}

/** Whether the value of an attribute may be changed by {@link filterAttributes}. */
export function isFiltered(key: string): boolean {
  const isListed = [TEXT_FILTERS, TEXTS, STATEMENTS, PEER_ADDRESSES, CLIENT_ADDRESSES].some((list) => list.has(key));
  return isListed || [STATEMENT_VALUES, NAMED, HEADER].some((pattern) => pattern.test(key));
}

/** Bodies, which some instrumentations and their hooks record. */
function filterBody(text: string, names: SensitiveNames): string {
  return filterText(maskText(text, names), names);
}

/** A statement without credentials, and without `sendDefaultPii` without the values in it. */
export function filterStatement(statement: string, system: unknown, names: SensitiveNames): string {
  if (system === 'redis' && REDIS_LOGIN.test(statement)) return statement.replace(REDIS_LOGIN, `$1 ${FILTERED}`);
  if (!names.filtersPersonalData) return filterUnlessHarmless('(statement)', statement, names, maskText);
  const obfuscated = obfuscateSql(statement, system);
  return (SECRET_KEY.test(obfuscated) ? maskText : maskCredentials)(obfuscated, names);
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

function isAddressOfUser(key: string, kind: SpanKind | undefined): boolean {
  return CLIENT_ADDRESSES.has(key) || (kind === SpanKind.SERVER && PEER_ADDRESSES.has(key));
}

/** Some instrumentations write names with underscores. */
function headerNameOf(key: string): string {
  return (HEADER.exec(key)?.[1] ?? '').toLowerCase().replaceAll('_', '-');
}
