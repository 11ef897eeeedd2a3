import { types } from 'node:util';
import { type Span, SpanKind } from '@opentelemetry/api';
import { withIsolationScope } from '../context/current-scopes.js';
import { likeOriginal } from '../internal/patching/wrapped.js';
import { isArray, readProperty, readString } from '../internal/values/read.js';
import type { Context } from '../model/event/event.js';
import { ATTRIBUTE } from '../model/event/span-json.js';
import {
  callObserved,
  createErrorReporter,
  type ErrorHandlerOptions,
  toPromise,
} from './shared/capture-framework-error.js';
import { isHandler } from './shared/check-arguments.js';
import { beginOwnTrace, failSpan, type RootSpanOptions, runInRootSpan } from './shared/root-span.js';

/** Options of {@link wrapJob}; `shouldHandleError` also gets what the job was called with. */
export type JobOptions = ErrorHandlerOptions<readonly unknown[]>;

/**
 * Runs each call of a job (of BullMQ, pg-boss, node-cron, croner and their like) with its own scopes and trace, and
 * captures what it throws or rejects with; both go on to the queue or scheduler, which decides about another attempt. With
 * tracing, each call is a transaction, unless a span of the queue's own instrumentation is active.
 *
 * @param name of its transactions, also in its events
 */
// biome-ignore lint/suspicious/noExplicitAny: what a queue calls the handler with cannot be inferred through its overloads.
export function wrapJob<Handler extends (...args: any[]) => unknown>(
  name: string,
  handler: Handler,
  options?: JobOptions,
): Handler {
  // The arguments may be in the wrong order: the queue still needs the function.
  if (!isHandler('wrapJob', handler)) return typeof name === 'function' ? name : handler;
  const report = createErrorReporter('wrapJob', 'auto.function.job', options);
  const wrapper = function (this: unknown, ...args: unknown[]) {
    return withIsolationScope((scope) => {
      beginOwnTrace();
      const job = describeJob(name, args[0]);
      scope.setTransactionName(name).setContext('job', job);
      const run = (span: Span | undefined) => {
        const observe = (error: unknown): void => {
          const isExpected = isControlFlow(error);
          report({ error, args, isExpected });
          if (!isExpected) failSpan(span);
        };
        return endSpanAfter(span, () => callObserved(() => toPromise(handler.apply(this, args)), observe));
      };
      return runInRootSpan(() => describeSpan(name, job), run);
    });
  };
  return likeOriginal(wrapper, handler) as Handler;
}

/** Ends the span when the call has returned or thrown, or when its promise has settled. */
function endSpanAfter<T>(span: Span | undefined, call: () => T): T {
  if (!span) return call();
  let result: T;
  try {
    result = call();
  } catch (error) {
    span.end();
    throw error;
  }
  if (types.isPromise(result)) return result.finally(() => span.end()) as T;
  span.end();
  return result;
}

/** Members of jobs of BullMQ and pg-boss; what they carry for the handler is not looked at. */
const DESCRIBING = ['id', 'queueName', 'attemptsMade', 'retryCount'] as const;

/** @param first a job, a list of them (pg-boss), or something else */
function describeJob(name: string, first: unknown): Context {
  const job = isArray(first) ? readProperty(first, 0) : first;
  const context: Context = { name };
  for (const member of DESCRIBING) {
    const value = readProperty(job, member);
    if (typeof value === 'string' || typeof value === 'number') context[member] = value;
  }
  return context;
}

/** The jobs of queues have an id, the runs of cron jobs have none. */
function describeSpan(name: string, { id, queueName = name }: Context): RootSpanOptions {
  const isQueued = id !== undefined;
  return {
    name,
    kind: isQueued ? SpanKind.CONSUMER : SpanKind.INTERNAL,
    attributes: {
      [ATTRIBUTE.op]: isQueued ? 'queue.process' : 'job',
      [ATTRIBUTE.origin]: 'auto.function.job',
      [ATTRIBUTE.source]: 'task',
      ...(isQueued && {
        'messaging.operation.type': 'process',
        'messaging.destination.name': String(queueName),
        'messaging.message.id': String(id),
      }),
    },
  };
}

/** BullMQ's own errors, with which a handler says that the job is to wait. */
function isControlFlow(error: unknown): boolean {
  return readString(error, 'message')?.startsWith('bullmq:') === true;
}
