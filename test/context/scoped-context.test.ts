import { createContextKey, INVALID_SPAN_CONTEXT, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { expect, it } from 'vitest';
import { scopesOf, withScopes } from '../../src/context/scoped-context.js';
import { Scope } from '../../src/model/scope/scope.js';

const key = createContextKey('a value');
const span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
const other = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
const [current, isolation] = [new Scope(), new Scope()];

it('a context with scopes takes over the active span and the values of the context that it wraps', () => {
  const wrapped = trace.setSpan(ROOT_CONTEXT.setValue(key, 1), span);
  const context = withScopes(wrapped, current, isolation);
  expect([trace.getSpan(context), context.getValue(key), scopesOf(context)]).toEqual([span, 1, context]);
});

it('setting or deleting the span of a context with scopes leaves that context and its other values as they are', () => {
  const context = withScopes(trace.setSpan(ROOT_CONTEXT, span).setValue(key, 1), current, isolation);
  const changed = trace.setSpan(context, other);
  const deleted = trace.deleteSpan(changed);
  expect(trace.getSpan(changed)).toBe(other);
  expect(trace.getSpan(deleted)).toBeUndefined();
  expect(trace.getSpan(context)).toBe(span);
  expect([changed, deleted].map((one) => one.getValue(key))).toEqual([1, 1]);
  expect([changed, deleted].map((one) => scopesOf(one)?.current)).toEqual([current, current]);
});

it('a value that is set or deleted on a context with scopes leaves its span as it is', () => {
  const context = withScopes(trace.setSpan(ROOT_CONTEXT, span), current, isolation);
  const changed = context.setValue(key, 2);
  expect([changed.getValue(key), trace.getSpan(changed)]).toEqual([2, span]);
  expect([changed.deleteValue(key).getValue(key), trace.getSpan(changed.deleteValue(key))]).toEqual([undefined, span]);
});
