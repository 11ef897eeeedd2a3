import { afterEach, expect, it } from 'vitest';
import { functionToStringIntegration } from '../../src/integrations/function-to-string.js';
import { markWrapped, wrappedFunctionOf } from '../../src/internal/patching/wrapped.js';
import type { Client } from '../../src/model/contracts.js';

const native = Function.prototype.toString;
const teardowns: Array<() => void> = [];
const setUp = () => {
  const teardown = functionToStringIntegration().setup?.({} as Client) as () => void;
  teardowns.push(teardown);
  return teardown;
};
afterEach(() => {
  for (const teardown of teardowns.splice(0).reverse()) teardown();
  expect(Function.prototype.toString).toBe(native);
});

function original() {
  return 'the source of the original';
}
const wrapped = () => markWrapped(() => original(), original);

it('a wrapped function prints as the one it stands in for', () => {
  const wrapper = wrapped();
  expect(String(wrapper)).not.toContain('the source of');
  setUp();
  expect(String(wrapper)).toBe(native.call(original));
  expect(Function.prototype.toString.call(wrapper)).toBe(native.call(original));
});

it('a function that was wrapped several times prints as the first', () => {
  const outer = markWrapped(() => undefined, wrapped());
  expect(wrappedFunctionOf(outer)).toBe(original);
  setUp();
  expect(String(outer)).toBe(native.call(original));
});

it('what prints functions looks like before', () => {
  setUp();
  const patched = Function.prototype.toString;
  expect(String(patched)).toBe('function toString() { [native code] }');
  expect(Object.getOwnPropertyDescriptor(Function.prototype, 'toString')).toEqual({
    value: patched,
    writable: true,
    configurable: true,
    enumerable: false,
  });
  expect([patched.name, patched.length, 'prototype' in patched]).toEqual(['toString', 0, false]);
});

it.each([undefined, null, {}, 1, 'text'])('printing %s as a function is a type error, as ever', (value) => {
  setUp();
  expect(() => Function.prototype.toString.call(value)).toThrow(TypeError);
});

it('at the end all is as it was, also when two have been set up and the first ends first', () => {
  const wrapper = wrapped();
  const first = setUp();
  const second = setUp();
  first();
  expect(String(wrapper)).toContain('the source of');
  second();
  expect(String(wrapper)).toBe(native.call(wrapper));
});
