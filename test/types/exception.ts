import type { Exception, Mechanism, StackFrame, Stacktrace } from 'faultline';
import { expectType } from './expect-type.js';

expectType<Exception>({});
expectType<Exception>({
  type: 'TypeError',
  value: 'no',
  mechanism: { type: 'generic' },
  module: 'shop',
  thread_id: 1,
  stacktrace: { frames: [] },
});
expectType<Exception>({ value: undefined, stacktrace: undefined });
// @ts-expect-error an Error is not yet an exception as events have them
expectType<Exception>(new Error('no'));
// @ts-expect-error the message is called `value`
expectType<Exception>({ message: 'no' });
// @ts-expect-error frames are in `frames`
expectType<Exception>({ stacktrace: [] });
// @ts-expect-error a thread id is a number
expectType<Exception>({ thread_id: 'main' });

expectType<Mechanism>({ type: 'generic' });
expectType<Mechanism>({
  type: 'chained',
  handled: true,
  data: { at: 1 },
  synthetic: false,
  help_link: 'https://example.com/',
  description: 'd',
  meta: { errno: { number: 2 } },
  source: 'cause',
  exception_id: 1,
  parent_id: 0,
  is_exception_group: false,
});
expectType<Mechanism>({ type: 'generic', handled: undefined });
// @ts-expect-error a mechanism has a type
expectType<Mechanism>({ handled: true });
// @ts-expect-error `handled` is a boolean
expectType<Mechanism>({ type: 'generic', handled: 'no' });
// @ts-expect-error data are an object
expectType<Mechanism>({ type: 'generic', data: 'a' });
// @ts-expect-error ids are numbers
expectType<Mechanism>({ type: 'chained', parent_id: '0' });

expectType<StackFrame>({});
expectType<StackFrame>({
  filename: '/app/a.js',
  abs_path: '/app/a.js',
  function: 'main',
  module: 'a',
  lineno: 1,
  colno: 2,
  in_app: true,
  pre_context: ['a'],
  context_line: 'b',
  post_context: ['c'],
  vars: { n: 1 },
  platform: 'node',
});
expectType<StackFrame>({ filename: undefined, in_app: undefined });
// @ts-expect-error a line number is a number
expectType<StackFrame>({ lineno: '1' });
// @ts-expect-error members have the wire's names: `lineno`
expectType<StackFrame>({ lineNumber: 1 });
// @ts-expect-error `pre_context` is a list of lines
expectType<StackFrame>({ pre_context: 'a' });
// @ts-expect-error `in_app` is a boolean
expectType<StackFrame>({ in_app: 1 });

expectType<Stacktrace>({ frames: [{ filename: '/app/a.js' }] });
expectType<Stacktrace>({ frames: undefined });
// @ts-expect-error a stack trace is an object with frames
expectType<Stacktrace>('at main (/app/a.js:1:2)');
// @ts-expect-error frames are a list
expectType<Stacktrace>({ frames: { filename: '/app/a.js' } });
