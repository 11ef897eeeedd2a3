import { SpanKind } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { sensitiveNames } from '../../../src/scrubbing/sensitive-names.js';
import { describeSpan } from '../../../src/tracing/describe/describe-span.js';
import { type Case, check } from './check-description.js';

const { INTERNAL, SERVER, CLIENT, PRODUCER, CONSUMER } = SpanKind;
const CUSTOM_NAME = 'svc.custom_span_name';

describe('a span without telling attributes', () => {
  it.each<Case>([
    ['has its name and no op', INTERNAL, {}, [undefined, 'span name', 'custom']],
    ['has the op set by hand', INTERNAL, { 'svc.op': 'task.run' }, ['task.run', 'span name', 'custom']],
    ['has the source set by hand', INTERNAL, { 'svc.source': 'task' }, [undefined, 'span name', 'task']],
    ['has the name from updateSpanName', INTERNAL, { [CUSTOM_NAME]: 'mine' }, [undefined, 'mine', 'custom']],
    [
      'is not misled by empty values',
      INTERNAL,
      { 'svc.op': '', 'svc.source': '', [CUSTOM_NAME]: '', 'http.method': '', 'db.system': '', 'rpc.service': '' },
      [undefined, 'span name', 'custom'],
    ],
    [
      'is not misled by values of other types',
      INTERNAL,
      { 'svc.op': 1, [CUSTOM_NAME]: true },
      [undefined, 'span name', 'custom'],
    ],
  ])('%s', check);
});

describe('a database span', () => {
  it.each<Case>([
    [
      'is named by its statement (old)',
      CLIENT,
      { 'db.system': 'pg', 'db.statement': 'SELECT 1' },
      ['db', 'SELECT 1', 'task'],
    ],
    [
      'is named by its statement (stable)',
      CLIENT,
      { 'db.system.name': 'pg', 'db.query.text': 'SELECT 1' },
      ['db', 'SELECT 1', 'task'],
    ],
    [
      'prefers the stable statement',
      CLIENT,
      { 'db.system': 'pg', 'db.statement': 'old', 'db.query.text': 'stable' },
      ['db', 'stable', 'task'],
    ],
    ['keeps its name without a statement', CLIENT, { 'db.system': 'redis' }, ['db', 'span name', 'task']],
    [
      'keeps its name when the source is custom',
      CLIENT,
      { 'db.system': 'pg', 'db.statement': 'SELECT 1', 'svc.source': 'custom' },
      ['db', 'span name', 'custom'],
    ],
    [
      'takes the name from updateSpanName',
      CLIENT,
      { 'db.system': 'pg', 'db.statement': 'SELECT 1', 'svc.source': 'custom', [CUSTOM_NAME]: 'mine' },
      ['db', 'mine', 'custom'],
    ],
    [
      'takes the source set after updateSpanName',
      CLIENT,
      { 'db.system': 'pg', 'svc.source': 'component', [CUSTOM_NAME]: 'mine' },
      ['db', 'mine', 'component'],
    ],
    [
      'keeps an op set by hand',
      CLIENT,
      { 'db.system': 'pg', 'db.statement': 'SELECT 1', 'svc.op': 'db.query' },
      ['db.query', 'SELECT 1', 'task'],
    ],
    [
      'keeps a source set by hand',
      CLIENT,
      { 'db.system': 'pg', 'db.statement': 'SELECT 1', 'svc.source': 'route' },
      ['db', 'SELECT 1', 'route'],
    ],
    [
      'is none when it is a cache',
      CLIENT,
      { 'db.system': 'redis', 'db.statement': 'GET a', 'svc.op': 'cache.get' },
      ['cache.get', 'span name', 'custom'],
    ],
  ])('%s', check);
});

describe('a database span whose name is its statement', () => {
  const span = {
    name: "SELECT * FROM users WHERE email = 'ada@example.com'",
    kind: CLIENT,
    attributes: { 'db.system': 'pg' },
  };

  it('has no values in its name', () => {
    expect(describeSpan(span).description).toBe('SELECT * FROM users WHERE email = ?');
  });

  it('keeps them with sendDefaultPii', () => {
    expect(describeSpan(span, sensitiveNames(true)).description).toBe(span.name);
  });
});

describe('a span of remote procedures, messages and functions', () => {
  it.each<Case>([
    ['rpc', CLIENT, { 'rpc.service': 'Cart' }, ['rpc', 'span name', 'route']],
    [
      'rpc with a custom name',
      CLIENT,
      { 'rpc.service': 'Cart', [CUSTOM_NAME]: 'mine', 'svc.source': 'custom' },
      ['rpc', 'mine', 'custom'],
    ],
    [
      'rpc with a source',
      CLIENT,
      { 'rpc.service': 'Cart', 'svc.source': 'component' },
      ['rpc', 'span name', 'component'],
    ],
    ['message', PRODUCER, { 'messaging.system': 'kafka' }, ['message', 'span name', 'route']],
    [
      'message with an op',
      CONSUMER,
      { 'messaging.system': 'kafka', 'svc.op': 'queue.process' },
      ['queue.process', 'span name', 'route'],
    ],
    [
      'message with a custom name',
      CONSUMER,
      { 'messaging.system': 'kafka', [CUSTOM_NAME]: 'mine' },
      ['message', 'mine', 'route'],
    ],
    ['function', SERVER, { 'faas.trigger': 'pubsub' }, ['pubsub', 'span name', 'route']],
    [
      'function with a source',
      SERVER,
      { 'faas.trigger': 'timer', 'svc.source': 'task' },
      ['timer', 'span name', 'task'],
    ],
  ])('%s', check);

  it.each<Case>([
    ['http before db', CLIENT, { 'http.method': 'GET', 'db.system': 'es' }, ['http.client', 'span name', 'custom']],
    ['db before rpc', CLIENT, { 'db.system': 'pg', 'rpc.service': 'Cart' }, ['db', 'span name', 'task']],
    [
      'rpc before messaging',
      CLIENT,
      { 'rpc.service': 'Cart', 'messaging.system': 'kafka' },
      ['rpc', 'span name', 'route'],
    ],
    [
      'messaging before functions',
      CLIENT,
      { 'messaging.system': 'kafka', 'faas.trigger': 'pubsub' },
      ['message', 'span name', 'route'],
    ],
  ])('is described in this order: %s', check);
});
