import { SpanKind } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { describeSpan } from '../../../src/tracing/describe/describe-span.js';
import { type Case, check } from './check-description.js';

const { INTERNAL, SERVER, CLIENT, PRODUCER, CONSUMER } = SpanKind;
const CUSTOM_NAME = 'svc.custom_span_name';

const OLD_SERVER = {
  'http.method': 'GET',
  'http.target': '/products/1?a=b#c',
  'http.url': 'http://shop.test/products/1?a=b',
};
const STABLE_SERVER = {
  'http.request.method': 'GET',
  'url.scheme': 'http',
  'server.address': 'shop.test',
  'server.port': 8080,
  'url.path': '/products/1',
  'url.query': 'a=b',
};
const OLD_CLIENT = { 'http.method': 'POST', 'http.url': 'https://api.test:443/v1/x?y=1#z', 'http.target': '/v1/x?y=1' };
const STABLE_CLIENT = { 'http.request.method': 'POST', 'url.full': 'https://api.test:443/v1/x?y=1#z' };

describe('an HTTP span', () => {
  it.each<Case>([
    [
      'of a server is named by its route (old)',
      SERVER,
      { ...OLD_SERVER, 'http.route': '/products/:id' },
      ['http.server', 'GET /products/:id', 'route'],
    ],
    [
      'of a server is named by its route (stable)',
      SERVER,
      { ...STABLE_SERVER, 'http.route': '/products/:id' },
      ['http.server', 'GET /products/:id', 'route'],
    ],
    ['of a server without route is named by its target', SERVER, OLD_SERVER, ['http.server', 'GET /products/1', 'url']],
    [
      'of a server without route is named by its path',
      SERVER,
      STABLE_SERVER,
      ['http.server', 'GET /products/1', 'url'],
    ],
    [
      'of a server at the root has a route',
      SERVER,
      { 'http.method': 'GET', 'http.target': '/?a' },
      ['http.server', 'GET /', 'route'],
    ],
    [
      'of a server with nothing but its address is named by that',
      SERVER,
      { 'http.method': 'GET', 'http.url': 'http://shop.test/products/1?a=b' },
      ['http.server', 'GET http://shop.test/products/1', 'url'],
    ],
    [
      'of a client is named by its address (old)',
      CLIENT,
      OLD_CLIENT,
      ['http.client', 'POST https://api.test/v1/x', 'url'],
    ],
    [
      'of a client is named by its address (stable)',
      CLIENT,
      STABLE_CLIENT,
      ['http.client', 'POST https://api.test/v1/x', 'url'],
    ],
    [
      'of a client without address is named by its target',
      CLIENT,
      { 'http.method': 'GET', 'http.target': '/v1/x?y=1' },
      ['http.client', 'GET /v1/x', 'url'],
    ],
    [
      'of a client without full URL is named by its parts',
      CLIENT,
      STABLE_SERVER,
      ['http.client', 'GET http://shop.test:8080/products/1', 'url'],
    ],
    [
      'of a client with nothing but a path is named by that',
      CLIENT,
      { 'http.request.method': 'GET', 'url.path': '/x' },
      ['http.client', 'GET /x', 'url'],
    ],
    [
      'hides credentials',
      CLIENT,
      { 'http.method': 'GET', 'http.url': 'https://a:b@api.test/' },
      ['http.client', 'GET https://[filtered]:[filtered]@api.test/', 'url'],
    ],
    [
      'prefers the stable method',
      CLIENT,
      { ...STABLE_CLIENT, 'http.method': 'GET' },
      ['http.client', 'POST https://api.test/v1/x', 'url'],
    ],
    [
      'names methods that the conventions do not know',
      SERVER,
      { ...STABLE_SERVER, 'http.request.method': '_OTHER', 'http.request.method_original': 'PROPFIND' },
      ['http.server', 'PROPFIND /products/1', 'url'],
    ],
    ['without a path keeps its name', SERVER, { 'http.method': 'GET' }, ['http.server', 'span name', 'custom']],
    [
      'without a path keeps its source',
      SERVER,
      { 'http.method': 'GET', 'svc.source': 'view' },
      ['http.server', 'span name', 'view'],
    ],
    [
      'without a path takes its custom name',
      SERVER,
      { 'http.method': 'GET', [CUSTOM_NAME]: 'mine' },
      ['http.server', 'mine', 'custom'],
    ],
    ['made by hand keeps its name', INTERNAL, OLD_CLIENT, ['http', 'span name', 'custom']],
    ['made by hand keeps its source', INTERNAL, { ...OLD_CLIENT, 'svc.source': 'url' }, ['http', 'span name', 'url']],
    [
      'made automatically is named by its address',
      INTERNAL,
      { ...OLD_CLIENT, 'svc.origin': 'auto.http.mine' },
      ['http', 'POST https://api.test/v1/x', 'url'],
    ],
    [
      'with the source custom keeps its name',
      SERVER,
      { ...OLD_SERVER, 'svc.source': 'custom' },
      ['http.server', 'span name', 'custom'],
    ],
    [
      'renamed by updateSpanName keeps that name',
      SERVER,
      { ...OLD_SERVER, 'http.route': '/products/:id', 'svc.source': 'custom', [CUSTOM_NAME]: 'mine' },
      ['http.server', 'mine', 'custom'],
    ],
    [
      'renamed by updateSpanName takes a source set later',
      SERVER,
      { ...OLD_SERVER, 'svc.source': 'route', [CUSTOM_NAME]: 'mine' },
      ['http.server', 'mine', 'route'],
    ],
    [
      'with a source set by hand is still named by its path',
      SERVER,
      { ...OLD_SERVER, 'svc.source': 'view' },
      ['http.server', 'GET /products/1', 'view'],
    ],
    [
      'with an op set by hand keeps it',
      CLIENT,
      { ...OLD_CLIENT, 'svc.op': 'http.fetch' },
      ['http.fetch', 'POST https://api.test/v1/x', 'url'],
    ],
    [
      'fetched ahead says so',
      CLIENT,
      { ...OLD_CLIENT, 'svc.http.prefetch': true },
      ['http.client.prefetch', 'POST https://api.test/v1/x', 'url'],
    ],
    [
      'ignores a route that is no text',
      SERVER,
      { ...OLD_SERVER, 'http.route': ['/a'] },
      ['http.server', 'GET /products/1', 'url'],
    ],
  ])('%s', check);

  it.each<[string, unknown, string]>([
    ['one', 'query Cart', 'POST /graphql (query Cart)'],
    ['several, sorted', ['query B', 'query A'], 'POST /graphql (query A, query B)'],
    ['five', ['e', 'd', 'c', 'b', 'a'], 'POST /graphql (a, b, c, d, e)'],
    ['five and a count of the others', ['g', 'f', 'e', 'd', 'c', 'b', 'a'], 'POST /graphql (a, b, c, d, e, +2)'],
  ])('lists GraphQL operations: %s', (_, operations, description) => {
    const attributes = { 'http.method': 'POST', 'http.route': '/graphql', 'svc.graphql.operation': operations };
    expect(describeSpan({ name: 'POST', kind: SERVER, attributes })).toMatchObject({ description, source: 'route' });
  });
});

describe('the data inferred for a span', () => {
  it.each<[string, SpanKind, Record<string, unknown>, Record<string, unknown> | undefined]>([
    ['nothing for an internal span', INTERNAL, {}, undefined],
    ['the kind of a server', SERVER, {}, { 'otel.kind': 'SERVER' }],
    ['the kind of a client', CLIENT, {}, { 'otel.kind': 'CLIENT' }],
    ['the kind of a producer', PRODUCER, {}, { 'otel.kind': 'PRODUCER' }],
    ['the kind of a consumer', CONSUMER, {}, { 'otel.kind': 'CONSUMER' }],
    [
      'the status code under its stable name',
      INTERNAL,
      { 'http.status_code': 404 },
      { 'http.response.status_code': 404 },
    ],
    ['no status code when it is there', INTERNAL, { 'http.status_code': 1, 'http.response.status_code': 2 }, {}],
    [
      'the parts of a full URL',
      CLIENT,
      STABLE_CLIENT,
      { 'otel.kind': 'CLIENT', url: 'https://api.test/v1/x', 'http.query': 'y=1', 'http.fragment': 'z' },
    ],
    [
      'no query and fragment when there are none',
      INTERNAL,
      { 'http.url': 'http://a.test/' },
      { url: 'http://a.test/' },
    ],
    [
      'the URL of a server from its parts',
      SERVER,
      STABLE_SERVER,
      { 'otel.kind': 'SERVER', url: 'http://shop.test:8080/products/1', 'http.query': 'a=b' },
    ],
    [
      'no URL from the parts of a span that is not HTTP',
      INTERNAL,
      { ...STABLE_SERVER, 'http.request.method': undefined },
      undefined,
    ],
  ])('is %s', (_, kind, attributes, data) => {
    expect(describeSpan({ name: 'n', kind, attributes }).data).toEqual(data);
  });
});
