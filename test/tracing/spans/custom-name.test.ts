import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type Span, SpanKind } from '@opentelemetry/api';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { describe, expect, it } from 'vitest';
import { close, getActiveSpan, getRootSpan, init } from '../../../src/index.js';
import type { Event } from '../../../src/model/event/event.js';
import { resetOpenTelemetry } from '../../support/story.js';
import { createProcessorRig } from '../processor-rig.js';

const REQUEST = { kind: SpanKind.SERVER, attributes: { 'http.request.method': 'GET', 'url.path': '/users/7' } };

type Row = [title: string, change: (span: Span) => void, name: string];

describe('a request that the application has named', () => {
  it.each<Row>([
    ['before the source', (span) => span.updateName('mine').setAttribute('svc.source', 'custom'), 'mine'],
    ['after the source', (span) => span.setAttribute('svc.source', 'custom').updateName('mine'), 'mine'],
    ['twice', (span) => span.setAttribute('svc.source', 'custom').updateName('first').updateName('mine'), 'mine'],
    [
      'after its route was known',
      (span) => {
        span.setAttribute('svc.source', 'custom').updateName('GET /users/:id').updateName('mine');
        span.setAttribute('http.route', '/users/:id');
      },
      'mine',
    ],
    ['like its method', (span) => span.updateName('GET it').setAttribute('svc.source', 'custom'), 'GET it'],
    ['without a source', (span) => span.updateName('mine'), 'GET /users/7'],
  ])('%s keeps that name: %#', async (_, change, name) => {
    const { client, sent, start } = createProcessorRig();
    const span = start('GET', undefined, REQUEST);
    change(span);
    start('graphql', span, { attributes: { 'graphql.operation.type': 'query' } }).end();
    span.updateName('GET /users/:id');
    expect((span as unknown as { name: string }).name).toBe('GET /users/:id');
    span.end();
    await client.flush();
    expect(sent[0]!.transaction).toBe(name === 'GET /users/7' ? 'GET /users/7 (query)' : name);
    expect(sent[0]!.transaction_info?.source).toBe(name === 'GET /users/7' ? 'url' : 'custom');
  });

  it('keeps it with the instrumentations of HTTP and Express', async () => {
    const names: (string | undefined)[] = [];
    const beforeSendTransaction = ({ transaction }: Event) => {
      names.push(transaction);
      return null;
    };
    init({ dsn: 'http://key@127.0.0.1:1/1', tracesSampleRate: 1, sendClientReports: false, beforeSendTransaction });
    const unregister = registerInstrumentations({
      instrumentations: [new HttpInstrumentation(), new ExpressInstrumentation()],
    });
    const require = createRequire(import.meta.url);
    require('node:http');
    type Handler = (request: unknown, response: { send(body: string): unknown }) => void;
    const app = (require('express') as () => { get(path: string, handler: Handler): void; listen: Server['listen'] })();
    app.get('/users/:id', (_, response) => {
      const request = getRootSpan(getActiveSpan()!);
      request.updateName('show a user');
      request.setAttribute('svc.source', 'custom');
      response.send('');
    });
    app.get('/:id', (_, response) => response.send(''));
    const server: Server = await new Promise((resolve) => {
      const listening: Server = app.listen(0, '127.0.0.1', () => resolve(listening));
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await fetch(`${url}/users/7`);
    await fetch(`${url}/7`);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await close(2000);
    unregister();
    resetOpenTelemetry();
    expect(names).toEqual(['show a user', 'GET /:id']);
  });
});
