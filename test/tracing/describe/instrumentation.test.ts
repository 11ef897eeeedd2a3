import { SpanKind } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { describeSpan } from '../../../src/tracing/describe/describe-span.js';
import { originOfInstrumentation } from '../../../src/tracing/describe/instrumentation.js';

const { INTERNAL, SERVER, CLIENT, PRODUCER } = SpanKind;

type Case = [
  scope: string,
  kind: SpanKind,
  name: string,
  attributes: Record<string, unknown>,
  op: string | undefined,
  origin: string | undefined,
];

const otel = (name: string) => `@opentelemetry/instrumentation-${name}`;

describe('a span of an instrumentation', () => {
  it.each<Case>([
    [otel('http'), SERVER, 'GET', { 'http.request.method': 'GET' }, 'http.server', 'auto.http.otel.http'],
    [otel('http'), CLIENT, 'GET', { 'http.method': 'GET' }, 'http.client', 'auto.http.otel.http'],
    [otel('undici'), CLIENT, 'GET', { 'http.request.method': 'GET' }, 'http.client', 'auto.http.otel.node_fetch'],
    [otel('express'), INTERNAL, 'm', { 'express.type': 'middleware' }, 'middleware.express', 'auto.http.otel.express'],
    [
      otel('express'),
      INTERNAL,
      'request handler - /',
      { 'express.type': 'request_handler' },
      'request_handler.express',
      'auto.http.otel.express',
    ],
    [otel('koa'), INTERNAL, 'r', { 'koa.type': 'router' }, 'router.koa', 'auto.http.otel.koa'],
    [otel('hapi'), INTERNAL, 'e', { 'hapi.type': 'server.ext' }, 'server.ext.hapi', 'auto.http.otel.hapi'],
    [otel('connect'), INTERNAL, 'm', { 'connect.type': 'middleware' }, 'middleware.connect', 'auto.http.otel.connect'],
    ['@fastify/otel', INTERNAL, 'h', { 'fastify.type': 'route-hook' }, 'hook.fastify', 'auto.http.otel.fastify'],
    [
      '@fastify/otel',
      INTERNAL,
      'h',
      { 'fastify.type': 'request-handler' },
      'request_handler.fastify',
      'auto.http.otel.fastify',
    ],
    ['@fastify/otel', SERVER, 'request', { 'http.request.method': 'GET' }, 'http.server', 'auto.http.otel.fastify'],
    ['@hono/otel', SERVER, 'GET /', { 'http.request.method': 'GET' }, 'http.server', 'auto.http.otel.hono'],
    [
      otel('nestjs-core'),
      INTERNAL,
      'Users.load',
      { 'nestjs.type': 'request_context', 'http.method': 'GET' },
      'request_context.nestjs',
      'auto.http.otel.nestjs',
    ],
    [otel('graphql'), INTERNAL, 'graphql.parse', {}, 'graphql.parse', 'auto.graphql.otel.graphql'],
    [otel('graphql'), INTERNAL, 'graphql.resolve user.id', {}, 'graphql.resolve', 'auto.graphql.otel.graphql'],
    [otel('graphql'), INTERNAL, 'query Users', {}, 'graphql.execute', 'auto.graphql.otel.graphql'],
    [otel('pg'), CLIENT, 'q', { 'db.system': 'postgresql', 'db.statement': 'SELECT 1' }, 'db', 'auto.db.otel.postgres'],
    [otel('mongodb'), CLIENT, 'mongodb.find', {}, 'db', 'auto.db.otel.mongo'],
    [otel('ioredis'), CLIENT, 'get', { 'db.system': 'redis' }, 'db', 'auto.db.otel.redis'],
    [otel('redis-4'), CLIENT, 'redis-GET', { 'db.system': 'redis' }, 'db', 'auto.db.otel.redis'],
    [otel('dataloader'), CLIENT, 'dataloader.load', {}, 'cache.get', 'auto.db.otel.dataloader'],
    [otel('kafkajs'), PRODUCER, 'send', { 'messaging.system': 'kafka' }, 'message', 'auto.message.otel.kafkajs'],
    [otel('fs'), INTERNAL, 'fs readFile', {}, 'file', 'auto.file.otel.fs'],
    [otel('socket.io'), PRODUCER, 'send', { 'messaging.system': 'socket.io' }, 'message', 'auto.otel.socket_io'],
    ['opentelemetry-instrumentation-typeorm', CLIENT, 'find', {}, 'db', 'auto.db.otel.typeorm'],
    ['@prisma/instrumentation', INTERNAL, 'prisma:client', {}, 'db', 'auto.db.otel.prisma'],
    ['shop', INTERNAL, 'work', { 'express.type': 'middleware' }, undefined, undefined],
    ['faultline', INTERNAL, 'work', {}, undefined, undefined],
  ])('%s: kind %i, %s, %j', (scope, kind, name, attributes, op, origin) => {
    const span = { name, kind, attributes, instrumentationScope: { name: scope } };
    expect([describeSpan(span).op, originOfInstrumentation(span)]).toEqual([op, origin]);
  });

  it('keeps the op that was set by hand', () => {
    const attributes = { 'svc.op': 'auth', 'express.type': 'middleware' };
    const instrumentationScope = { name: otel('express') };
    expect(describeSpan({ name: 'm', kind: INTERNAL, attributes, instrumentationScope }).op).toBe('auth');
  });

  it('has an origin that servers accept', () => {
    for (const name of [otel('express'), otel('x-y.z'), '@acme/otel', 'instrumentation-ünïcode']) {
      const origin = originOfInstrumentation({ instrumentationScope: { name } }) ?? 'manual';
      expect(origin).toMatch(/^(manual|auto)(\.\w+){0,3}$/);
    }
  });
});
