import { SpanKind } from '@opentelemetry/api';
import { isArray, readList } from '../../internal/values/read.js';
import { isNonEmptyString, MAX_STRING_LENGTH, nonEmptyStringOf, truncate } from '../../internal/values/strings.js';
import { ATTRIBUTE, type SpanAttributes, type TransactionSource } from '../../model/event/span-json.js';
import { type SensitiveNames, sensitiveNames } from '../../scrubbing/sensitive-names.js';
import { filterStatement } from '../../scrubbing/span-attributes.js';
import { filterPath, filterUrl } from '../../scrubbing/urls.js';
import { httpMethodOf, ROUTE, textOf } from './attribute-text.js';
import { type InstrumentedSpan, opOfInstrumentation } from './instrumentation.js';
import { composeSpanUrl, parseSpanUrl, type SpanUrl, withoutQuery } from './span-url.js';

/** Op, name and source of a span, as servers show them. */
export interface SpanDescription {
  /** Kind of work, for example `http.server`; absent when unknown. */
  readonly op: string | undefined;
  /** The name: of the transaction, when the span is a root. */
  readonly description: string;
  readonly source: TransactionSource;
  /** Attributes derived from others: `otel.kind`, `http.response.status_code`, `url`, `http.query`, `http.fragment`. */
  readonly data: SpanAttributes | undefined;
}

/** `data` is added last. */
interface Description extends SpanDescription {
  data: SpanDescription['data'];
}

/** The operations of a GraphQL request, on its root: a string, or a list of them. */
export const GRAPHQL_OPERATION = 'svc.graphql.operation';
const PREFETCH = 'svc.http.prefetch';
const MAX_GRAPHQL_OPERATIONS = 5;
/** Replaces a name, method or statement that has no text. */
const UNKNOWN = '<unknown>';
/** By span kind; INTERNAL is left out. */
const KIND_NAMES: readonly (string | undefined)[] = [undefined, 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

/**
 * Infers op, name and source of a span from its attributes, in the old and the stable spelling of OTel's semantic
 * conventions, and its op from the instrumentation that created it. What was set by hand (`svc.op`, `svc.source`, a name
 * from `updateSpanName`) wins.
 *
 * @param names what is filtered from the name
 */
export function describeSpan(span: InstrumentedSpan, names: SensitiveNames = sensitiveNames(false)): SpanDescription {
  const { attributes } = span;
  const method = httpMethodOf(span);
  const fullUrl = textOf(attributes['url.full'] || attributes['http.url']);
  const url = fullUrl ? parseSpanUrl(fullUrl) : method ? composeSpanUrl(attributes) : undefined;
  const description = method
    ? describeHttpSpan(span, textOf(method) ?? UNKNOWN, url, Boolean(fullUrl), names)
    : describeOtherSpan(span, names);
  description.data = inferData(span, url);
  return description;
}

/** Describes a span that cannot be read. */
export const UNKNOWN_SPAN = describeSpan({ name: UNKNOWN, kind: SpanKind.INTERNAL, attributes: {} });

/** Like `describeSpan`, for a span whose attributes say nothing about it. */
export function describePlain(span: InstrumentedSpan, names: SensitiveNames): SpanDescription {
  return describeByName(span, undefined, 'custom', names);
}

function describeOtherSpan(span: InstrumentedSpan, names: SensitiveNames): Description {
  const { attributes } = span;
  const explicitOp = nonEmptyStringOf(attributes[ATTRIBUTE.op]);
  const database = attributes['db.system.name'] || attributes['db.system'];
  if (database && !explicitOp?.startsWith('cache.')) return describeDatabaseSpan(span, database, names);
  if (attributes['rpc.service']) return describeByName(span, 'rpc', 'route', names);
  if (attributes['messaging.system']) return describeByName(span, 'message', 'route', names);
  const trigger = attributes['faas.trigger'];
  if (trigger) return describeByName(span, textOf(trigger), 'route', names);
  return describeByName(span, undefined, 'custom', names);
}

function describeHttpSpan(
  span: InstrumentedSpan,
  method: string,
  url: SpanUrl | undefined,
  isFullUrl: boolean,
  names: SensitiveNames,
): Description {
  const { kind, attributes } = span;
  const isServerOrClient = kind === SpanKind.SERVER || kind === SpanKind.CLIENT;
  const op = httpOp(kind, attributes);
  const route = nonEmptyStringOf(attributes[ROUTE]);
  const path = route ?? httpPath(kind, attributes, url, isFullUrl);
  if (
    path === undefined ||
    attributes[ATTRIBUTE.source] === 'custom' ||
    attributes[ATTRIBUTE.customName] ||
    !(isServerOrClient || nonEmptyStringOf(attributes[ATTRIBUTE.origin])?.startsWith('auto'))
  ) {
    return describeByName(span, op, 'custom', names);
  }
  const suffix = describeOperations(attributes[GRAPHQL_OPERATION]);
  const source = route !== undefined || path === '/' ? 'route' : 'url';
  const shownPath = route ?? filterPath(truncate(path, MAX_STRING_LENGTH), names);
  return toDescription(span, op, `${methodName(method, attributes)} ${shownPath}${suffix}`, source);
}

function describeDatabaseSpan(span: InstrumentedSpan, system: unknown, names: SensitiveNames): Description {
  const { attributes } = span;
  if (attributes[ATTRIBUTE.customName] || attributes[ATTRIBUTE.source] === 'custom') {
    return describeByName(span, 'db', 'custom', names);
  }
  // Some instrumentations put the statement into the name alone.
  const statement = truncate(
    textOf(attributes['db.query.text'] || attributes['db.statement'] || span.name) ?? UNKNOWN,
    MAX_STRING_LENGTH,
  );
  const shown = filterStatement(statement, system, names);
  return toDescription(span, 'db', shown, 'task');
}

function describeByName(
  span: InstrumentedSpan,
  op: string | undefined,
  source: TransactionSource,
  names: SensitiveNames,
): Description {
  const { attributes } = span;
  const name = nonEmptyStringOf(attributes[ATTRIBUTE.customName]) ?? span.name;
  return toDescription(span, op, filterName(textOf(name) ?? UNKNOWN, names), source);
}

/** A name may hold a path or a URL: `GET https://a.test/?token=x`. */
export function filterName(name: string, names: SensitiveNames): string {
  if (!name.includes('/')) return name;
  const searched = truncate(name, MAX_STRING_LENGTH);
  return /\?[^\s=]{1,64}=/.test(searched) ? filterUrl(searched, names) : filterPath(searched, names);
}

function toDescription(
  span: InstrumentedSpan,
  op: string | undefined,
  description: string,
  source: TransactionSource,
): Description {
  const { attributes } = span;
  return {
    op: nonEmptyStringOf(attributes[ATTRIBUTE.op]) ?? opOfInstrumentation(span) ?? op,
    description,
    source: (nonEmptyStringOf(attributes[ATTRIBUTE.source]) as TransactionSource | undefined) ?? source,
    data: undefined,
  };
}

function httpOp(kind: SpanKind, attributes: InstrumentedSpan['attributes']): string {
  const op = kind === SpanKind.CLIENT ? 'http.client' : kind === SpanKind.SERVER ? 'http.server' : 'http';
  return attributes[PREFETCH] ? `${op}.prefetch` : op;
}

/** Servers are named by path, clients by address. */
function httpPath(
  kind: SpanKind,
  attributes: InstrumentedSpan['attributes'],
  url: SpanUrl | undefined,
  isFullUrl: boolean,
): string | undefined {
  const target = nonEmptyStringOf(attributes['http.target']);
  if (target !== undefined && (kind === SpanKind.SERVER || !isFullUrl)) return nonEmptyStringOf(withoutQuery(target));
  if (isFullUrl) return nonEmptyStringOf(url?.url);
  const path = nonEmptyStringOf(attributes['url.path']);
  return kind === SpanKind.SERVER ? path : (url?.url ?? path);
}

/** In the stable conventions, unknown methods are `_OTHER`, with the original beside it. */
function methodName(method: string, attributes: InstrumentedSpan['attributes']): string {
  return (method === '_OTHER' && nonEmptyStringOf(attributes['http.request.method_original'])) || method;
}

/**
 * The suffix of a GraphQL request's name: ` (query Orders)`.
 *
 * @param operations one, or a list of them
 */
export function describeOperations(operations: unknown): string {
  const all = (isArray(operations) ? readList(operations) : [operations]).filter(isNonEmptyString);
  if (all.length === 0) return '';
  const shown = all.toSorted().slice(0, MAX_GRAPHQL_OPERATIONS).join(', ');
  const rest = all.length - MAX_GRAPHQL_OPERATIONS;
  return ` (${rest > 0 ? `${shown}, +${rest}` : shown})`;
}

function inferData({ kind, attributes }: InstrumentedSpan, url: SpanUrl | undefined): SpanAttributes | undefined {
  const kindName = KIND_NAMES[kind];
  const oldStatusCode = attributes['http.status_code'];
  if (kindName === undefined && oldStatusCode === undefined && url === undefined) return undefined;
  const data: SpanAttributes = {};
  if (kindName !== undefined) data['otel.kind'] = kindName;
  if (oldStatusCode !== undefined && attributes['http.response.status_code'] === undefined) {
    data['http.response.status_code'] = oldStatusCode as SpanAttributes[string];
  }
  if (url === undefined) return data;
  data['url'] = url.url;
  if (url.query !== undefined) data['http.query'] = url.query;
  if (url.fragment !== undefined) data['http.fragment'] = url.fragment;
  return data;
}
