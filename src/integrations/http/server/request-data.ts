import { isIP } from 'node:net';
import { context as contextApi, trace } from '@opentelemetry/api';
import { getRPCMetadata } from '@opentelemetry/core';
import { localRootOf } from '../../../context/trace/find-local-root.js';
import { guardOwn } from '../../../internal/guard.js';
import { noteUnknown, readOptions } from '../../../internal/options/read-options.js';
import { copyDefined } from '../../../internal/values/copy-own.js';
import { isObject, readProperty, readString } from '../../../internal/values/read.js';
import type { Integration } from '../../../model/contracts.js';
import type { Event, RequestEventData } from '../../../model/event/event.js';
import { ATTRIBUTE } from '../../../model/event/span-json.js';
import type { Optional } from '../../../model/optional.js';
import type { Settings } from '../../../model/options.js';
import { maskCredentials } from '../../../scrubbing/credentials.js';
import { filterHeader } from '../../../scrubbing/headers.js';
import { credentialNames, FILTERED, namesOf, type SensitiveNames } from '../../../scrubbing/sensitive-names.js';
import { filterText } from '../../../scrubbing/text/structured-text.js';
import { filterLocation, filterPath, filterQuery, splitUrl } from '../../../scrubbing/urls.js';
import { ROUTE } from '../../../tracing/describe/attribute-text.js';
import { describeOperations, filterName } from '../../../tracing/describe/describe-span.js';
import { UnrecordedSpan } from '../../../tracing/spans/unrecorded-span.js';
import { IncomingRequest } from './incoming-request.js';

/** Options of {@link requestDataIntegration}. */
export interface RequestDataOptions {
  /** Which parts of the request events contain. `cookies` and `ip` default to `sendDefaultPii`, the others to true. */
  include?: Optional<Record<Part, boolean>> | undefined;
}

type Part = 'cookies' | 'data' | 'headers' | 'ip' | 'query_string' | 'url';
type Included = Readonly<Record<Part, boolean>>;
type Headers = Record<string, string>;

const ALL: Included = { cookies: true, data: true, headers: true, ip: true, query_string: true, url: true };

/** Headers in which proxies pass the client's address; the first that has one is read. */
const ADDRESS_HEADERS = new Set(
  (
    'x-client-ip x-forwarded-for fly-client-ip cf-connecting-ip fastly-client-ip true-client-ip ' +
    'x-real-ip x-cluster-client-ip x-forwarded forwarded-for forwarded x-vercel-forwarded-for'
  ).split(' '),
);

/**
 * Adds the current request to events. Personal data is sent only with `sendDefaultPii`, credentials never, except
 * in cookies, which are sent whole or not at all. Existing fields of the event stay.
 */
export function requestDataIntegration(options?: RequestDataOptions): Integration {
  const owner = 'requestDataIntegration';
  const chosen = copyDefined(readOptions(owner, options, {}, { include: 'object' }).include) as Partial<Included>;
  noteUnknown(owner, 'include.', chosen, Object.keys(ALL));
  return {
    name: 'RequestData',
    processEvent(event, _hint, { settings }) {
      const request = event.sdkProcessingMetadata?.['normalizedRequest'] as RequestEventData | undefined;
      if (!isObject(request)) return event;
      const { sendDefaultPii } = settings;
      const included: Included = { ...ALL, cookies: sendDefaultPii, ip: sendDefaultPii, ...chosen };
      guardOwn('description of a request', () => describeRequest(event, request, included, settings));
      return event;
    },
  };
}

function describeRequest(event: Event, request: RequestEventData, included: Included, settings: Settings): void {
  const { method, headers = {} } = request;
  const names = namesOf(settings);
  const described: RequestEventData = { method };
  const url = included.url ? filterLocation(request.url ?? '', names) : '';
  if (url) described.url = url;
  if (included.query_string) described.query_string = queryOf(request, names);
  if (included.headers) described.headers = filterHeaders(headers, included, settings);
  if (included.cookies) described.cookies = request.cookies;
  if (included.data) described.data = filterBody(request.data, headers['content-type'] ?? '', names);

  event.request = { ...described, ...event.request };
  const address = included.ip ? addressOf(request, headers) : undefined;
  if (address) event.user = { ip_address: address, ...event.user };
  if (event.type === undefined && request instanceof IncomingRequest) event.transaction ??= nameOf(request, names);
}

/** The name that the transaction has from `updateSpanName`, or by its route, as far as it is known, and its operations. */
function nameOf(request: IncomingRequest, names: SensitiveNames): string {
  const context = contextApi.active();
  const span = trace.getSpan(context);
  const attributes = readProperty(span && localRootOf(span)?.span, 'attributes');
  const name = span instanceof UnrecordedSpan ? span.rootName : readString(attributes, ATTRIBUTE.customName);
  const route = readString(attributes, ROUTE) || getRPCMetadata(context)?.route;
  if (name) return filterName(name, names);
  const known = route ? `${request.method} ${route}` : filterPath(request.transactionName, names);
  return known + describeOperations([...(request.operations ?? [])]);
}

function queryOf(
  { query_string: query, url = '' }: RequestEventData,
  names: SensitiveNames,
): RequestEventData['query_string'] {
  if (typeof query === 'string') return filterQuery(query, names) || undefined;
  if (!isObject(query)) return splitUrl(url, names).query || undefined;
  const filtered = Object.entries(query).map(([name, value]) => [
    name,
    names.hasField(name) ? FILTERED : filterParameter(value, names),
  ]);
  // The application may have set values of other types; they are sent as they are.
  return Object.fromEntries(filtered) as Record<string, string>;
}

function filterParameter(value: unknown, names: SensitiveNames): unknown {
  return typeof value === 'string' ? maskCredentials(value, names) : value;
}

function filterHeaders(headers: Headers, { cookies, ip }: Included, settings: Settings): Headers {
  const result: Headers = {};
  for (const name of Object.keys(headers)) {
    const lowerName = name.toLowerCase();
    const hasAddress = ADDRESS_HEADERS.has(lowerName);
    if (lowerName === 'cookie') {
      if (cookies) result[name] = headers[name]!;
    } else if (ip || !hasAddress) {
      // `ip` asks for addresses, not for the personal data of other headers.
      const names = hasAddress ? credentialNames(settings.scrubbing) : namesOf(settings);
      result[name] = filterHeader(lowerName, headers[name]!, names) as string;
    }
  }
  return result;
}

function filterBody(data: unknown, type: string, names: SensitiveNames): unknown {
  return typeof data === 'string' ? filterText(data, names, type.includes('urlencoded')) : data;
}

function addressOf(request: RequestEventData, headers: Headers): string | undefined {
  for (const name of ADDRESS_HEADERS) {
    const address = headers[name] && readAddress(headers[name]);
    if (address) return address;
  }
  return request instanceof IncomingRequest ? request.remoteAddress : undefined;
}

/** Reads the first address of an `X-Forwarded-For` or `Forwarded` header, with or without a port. */
function readAddress(header: string): string | undefined {
  const first = header.split(',', 1)[0]!;
  // RFC 7239 leaves the order of `for`, `by`, `host` and `proto` open. Other headers have no parameters.
  const part = first.split(';').find((one) => /^(?:\s*for=|[^=]*$)/i.test(one)) ?? '';
  const address = part
    .trim()
    .replace(/^for=/i, '')
    .replace(/^"(.*)"$/, '$1');
  const withoutPort = /^\[([^\]]+)\]/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, '$1');
  return isIP(withoutPort) ? withoutPort : undefined;
}
