import type { IncomingMessage } from 'node:http';
import { context, INVALID_SPAN_CONTEXT, trace } from '@opentelemetry/api';
import { RPCType, setRPCMetadata } from '@opentelemetry/core';
import { describe, expect, it } from 'vitest';
import { FaultlineContextManager } from '../../../../src/index.js';
import { IncomingRequest } from '../../../../src/integrations/http/server/incoming-request.js';
import {
  type RequestDataOptions,
  requestDataIntegration,
} from '../../../../src/integrations/http/server/request-data.js';
import type { Client } from '../../../../src/model/contracts.js';
import type { Event, RequestEventData } from '../../../../src/model/event/event.js';

interface Received {
  method?: string;
  url?: string;
  originalUrl?: string;
  headers?: IncomingMessage['headers'];
  socket?: object | null;
}

function incoming(received: Received, body?: string): IncomingRequest {
  const message = { method: 'GET', url: '/', headers: {}, socket: { remoteAddress: '192.0.2.1' }, ...received };
  return new IncomingRequest(message as unknown as IncomingMessage, () => body);
}

interface Given extends RequestDataOptions {
  sendDefaultPii?: boolean;
  event?: Event;
}

function describeEvent(
  normalizedRequest: unknown,
  { sendDefaultPii = false, event = {}, ...options }: Given = {},
): Event {
  const client = { settings: { sendDefaultPii } } as Client;
  const given = { ...event, sdkProcessingMetadata: { normalizedRequest } };
  return requestDataIntegration(options).processEvent?.(given, {}, client) as Event;
}

describe('the URL', () => {
  it.each<[what: string, received: Received, url: string, query: string | undefined]>([
    ['host', { url: '/a?b=1', headers: { host: 'shop.test:8080' } }, 'http://shop.test:8080/a', 'b=1'],
    ['encryption', { headers: { host: 'shop.test' }, socket: { encrypted: true } }, 'https://shop.test/', undefined],
    [
      'proxies',
      { headers: { host: 'inner', 'x-forwarded-host': 'shop.test, inner', 'x-forwarded-proto': 'https, http' } },
      'https://shop.test/',
      undefined,
    ],
    [
      'no other protocol of proxies',
      { headers: { host: 'shop.test', 'x-forwarded-proto': 'javascript' } },
      'http://shop.test/',
      undefined,
    ],
    ['no host', { url: '/a' }, '/a', undefined],
    ['absolute', { url: 'http://me:pw@shop.test/a@b?c=@', headers: { host: 'x' } }, 'http://shop.test/a@b', 'c=@'],
    ['a closed connection', { headers: { host: 'a' }, socket: null }, 'http://a/', undefined],
    [
      'secrets',
      { url: '/cb?state=1&access_token=abc&API-Key=k&sid=9&page=2', headers: { host: 'a' } },
      'http://a/cb',
      'state=1&access_token=[Filtered]&API-Key=[Filtered]&sid=[Filtered]&page=2',
    ],
  ])('knows %s', (_, received, url, query) => {
    expect(describeEvent(incoming(received)).request).toMatchObject({ method: 'GET', url, query_string: query });
  });
});

const HEADERS = {
  accept: '*/*',
  'user-agent': 'test',
  authorization: 'Bearer abc',
  'x-api-key': 'abc',
  cookie: 'session=abc; theme="dark%20blue"; theme=light; broken',
  'x-forwarded-for': '198.51.100.7, 10.0.0.1',
  'x-forwarded-host': 'shop.test',
  'x-remote-user': 'me',
  via: '1.1 proxy',
};

describe('personal data', () => {
  it('does not leave by default', () => {
    const { request, user } = describeEvent(incoming({ headers: HEADERS }));
    expect(request?.headers).toEqual({
      accept: '*/*',
      'user-agent': 'test',
      authorization: '[Filtered]',
      'x-api-key': '[Filtered]',
      'x-forwarded-host': 'shop.test',
      'x-remote-user': '[Filtered]',
      via: '1.1 proxy',
    });
    expect(request?.cookies).toBeUndefined();
    expect(user).toBeUndefined();
    expect(JSON.stringify({ request, user })).not.toMatch(/abc|198\.51|192\.0/);
  });

  it('leaves with sendDefaultPii, credentials excepted', () => {
    const { request, user } = describeEvent(incoming({ headers: HEADERS }), { sendDefaultPii: true });
    expect(request?.headers).toEqual({ ...HEADERS, authorization: '[Filtered]', 'x-api-key': '[Filtered]' });
    expect(request?.cookies).toEqual({ session: 'abc', theme: 'dark blue' });
    expect(user).toEqual({ ip_address: '198.51.100.7' });
  });

  it('`include` decides about each part', () => {
    const request = incoming({ url: '/a?b=1', headers: HEADERS }, 'text');
    const parts = (options: Given) => Object.keys(describeEvent(request, options).request ?? {}).sort();
    expect(parts({})).toEqual(['data', 'headers', 'method', 'query_string', 'url']);
    expect(parts({ include: { data: false, headers: false, query_string: false, url: false } })).toEqual(['method']);
    expect(parts({ include: { cookies: true } })).toContain('cookies');
    expect(parts({ include: { headers: undefined } })).toContain('headers');
    expect(describeEvent(request, { include: { ip: true } }).user).toEqual({ ip_address: '198.51.100.7' });
    expect(describeEvent(request, { sendDefaultPii: true, include: { ip: false } }).user).toBeUndefined();
  });

  it('`include.ip` adds the headers with addresses, and no other personal data', () => {
    const headers = { ...HEADERS, 'x-user-email': 'jane@example.com', 'x-customer-phone': '555 0100' };
    const { request } = describeEvent(incoming({ headers }), { include: { ip: true } });
    expect(request?.headers).toMatchObject({
      authorization: '[Filtered]',
      'x-forwarded-for': HEADERS['x-forwarded-for'],
      'x-remote-user': '[Filtered]',
      'x-user-email': '[Filtered]',
      'x-customer-phone': '[Filtered]',
    });
  });
});

it.each<[headers: IncomingMessage['headers'], address: string]>([
  [{}, '192.0.2.1'],
  [{ 'x-forwarded-for': 'unknown' }, '192.0.2.1'],
  [{ 'x-forwarded-for': '198.51.100.7:1234' }, '198.51.100.7'],
  [{ 'x-forwarded-for': '198.51.100.7;10.0.0.1' }, '198.51.100.7'],
  [{ 'x-forwarded-for': '198.51.100.7; for=10.0.0.1' }, '198.51.100.7'],
  [{ 'x-real-ip': '2001:db8::1' }, '2001:db8::1'],
  [{ forwarded: 'for="[2001:db8::1]:47";proto=https, for=10.0.0.1' }, '2001:db8::1'],
  [{ forwarded: 'proto=https;for=198.51.100.7' }, '198.51.100.7'],
  [{ forwarded: 'By=10.0.0.1; For="198.51.100.7:47"; host=a.test, for=10.0.0.2' }, '198.51.100.7'],
  [{ forwarded: 'by=10.0.0.1;proto=https' }, '192.0.2.1'],
  [{ 'x-client-ip': '198.51.100.8', 'x-forwarded-for': '198.51.100.7' }, '198.51.100.8'],
])('the address of a user behind %j is %s', (headers, address) => {
  expect(describeEvent(incoming({ headers }), { sendDefaultPii: true }).user).toEqual({ ip_address: address });
});

it.each<[body: string, type: string | undefined, sent: string]>([
  [
    '{"user":"me","password":"pw","items":[{"apiKey":"k","keyword":"a","author":"b"}]}',
    'application/json',
    '{"user":"me","password":"[Filtered]","items":[{"apiKey":"[Filtered]","keyword":"a","author":"b"}]}',
  ],
  ['{ "a": 1.0 }', undefined, '{ "a": 1.0 }'],
  ['{"cut', 'application/json', '{"cut'],
  ['user=me&pass%77ord=pw', 'application/x-www-form-urlencoded', 'user=me&pass%77ord=[Filtered]'],
  ['password=pw', 'text/plain', 'password=[Filtered]'],
  ['the address of the shop has changed', 'text/plain', 'the address of the shop has changed'],
])('of a body %s of type %s, %s is sent', (body, type, sent) => {
  const request = incoming({ headers: type === undefined ? {} : { 'content-type': type } }, body);
  expect(describeEvent(request).request?.data).toBe(sent);
});

it('what an event says itself wins', () => {
  const event: Event = {
    request: { method: 'POST', data: 1 },
    user: { ip_address: '10.0.0.9', id: 1 },
    transaction: 'own',
  };
  const described = describeEvent(incoming({ url: '/a' }), { event, sendDefaultPii: true });
  expect(described).toMatchObject({ ...event, request: { method: 'POST', data: 1, url: '/a' } });
});

it.each<[what: string, received: Received & { baseUrl?: string; route?: unknown }, name: string]>([
  ['path', { url: '/users/7?a=1' }, 'GET /users/7'],
  ['path of an absolute target', { url: 'http://shop.test/users/7' }, 'GET /users/7'],
  ['route', { url: '/7', originalUrl: '/users/7', baseUrl: '/users', route: { path: '/:id' } }, 'GET /users/:id'],
  [
    'route of a router that was left',
    { url: '/api/users/7', baseUrl: '', route: { path: '/:id' } },
    'GET /api/users/:id',
  ],
  [
    'whole route, which Nest tells its middleware',
    { url: '/', originalUrl: '/users/7', baseUrl: '/users/7', route: { path: '/users/:id' } },
    'GET /users/:id',
  ],
  [
    'whole route with a wildcard',
    { url: '/', originalUrl: '/files/a/b', baseUrl: '/files/a/b', route: { path: '/files/*path' } },
    'GET /files/*path',
  ],
  [
    'route with a wildcard of a router',
    { url: '/a/b', originalUrl: '/files/a/b', baseUrl: '/files', route: { path: '/*path' } },
    'GET /files/*path',
  ],
  ['root of a router', { url: '/api', baseUrl: '', route: { path: '/' } }, 'GET /api'],
  ['root', { url: '/', baseUrl: '', route: { path: '/' } }, 'GET /'],
  ['wildcard', { url: '/files/a/b', baseUrl: '', route: { path: '/*path' } }, 'GET /*path'],
  ['text of a route that is a pattern', { url: '/a', route: { path: /b/ } }, 'GET /b/'],
])('an error is named after the %s of its request', (_, received, name) => {
  expect(describeEvent(incoming(received)).transaction).toBe(name);
});

it('an error is named after the route that instrumentation of the framework has found', () => {
  context.setGlobalContextManager(new FaultlineContextManager().enable());
  const span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
  const found = setRPCMetadata(context.active(), { type: RPCType.HTTP, route: '/users/:id', span });
  const event = context.with(found, () => describeEvent(incoming({ url: '/users/7' })));
  context.disable();
  expect(event.transaction).toBe('GET /users/:id');
});

it('a transaction keeps its name', () => {
  const event: Event = { type: 'transaction', transaction: 'GET /a/:id' };
  expect(describeEvent(incoming({ url: '/a/1' }), { event }).transaction).toBe('GET /a/:id');
  expect(describeEvent(incoming({ url: '/a/1' }), { event: { type: 'transaction' } }).transaction).toBeUndefined();
});

it('a request set by hand is described too', () => {
  const given: RequestEventData = {
    url: 'https://me@shop.test/a',
    method: 'PUT',
    headers: { Authorization: 'x', Cookie: 'a=b', Accept: '*/*' },
    query_string: { a: '1', token: 'x' },
    cookies: { a: 'b' },
    data: { free: 'form' },
  };
  expect(describeEvent(given).request).toEqual({
    url: 'https://shop.test/a',
    method: 'PUT',
    headers: { Authorization: '[Filtered]', Accept: '*/*' },
    query_string: { a: '1', token: '[Filtered]' },
    data: { free: 'form' },
  });
});

it.each([[undefined], [null], [5]])('without a request (%j) an event stays as it is', (normalizedRequest) => {
  expect(describeEvent(normalizedRequest)).toEqual({ sdkProcessingMetadata: { normalizedRequest } });
});

it('a request that cannot be read costs nothing but its description', () => {
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no');
      },
    },
  );
  expect(describeEvent(hostile, { event: { message: 'kept' } }).message).toBe('kept');
});
