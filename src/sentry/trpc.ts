import { SpanStatusCode } from '@opentelemetry/api';
import { captureException, startSpan, withIsolationScope } from '../index.js';
import { copyOwn } from '../internal/values/copy-own.js';
import { readProperty } from '../internal/values/read.js';
import { ATTRIBUTE } from '../model/event/span-json.js';

interface TrpcOptions {
  /** Sends the input of procedures with their errors. @default false */
  attachRpcInput?: boolean;
  forceTransaction?: boolean;
}

/** The arguments of tRPC's middleware, version 10 and 11. */
interface TrpcCall<T> {
  path?: unknown;
  type?: unknown;
  next: () => T;
  rawInput?: unknown;
  getRawInput?: () => Promise<unknown>;
}

const MECHANISM = { type: 'auto.rpc.trpc.middleware', handled: false };

/** Middleware of tRPC that makes a span of each call and captures its error, which tRPC answers by itself. */
export function trpcMiddleware(options: TrpcOptions = {}) {
  const { attachRpcInput = false, forceTransaction = false } = copyOwn(options) as TrpcOptions;
  const middleware = <T>(call: TrpcCall<T>): Promise<unknown> => {
    const { path, type, next } = call;
    const attributes = { [ATTRIBUTE.source]: 'route' as const, [ATTRIBUTE.origin]: 'auto.rpc.trpc' };
    return withIsolationScope(async (scope) => {
      const input = attachRpcInput ? await readInput(call) : undefined;
      scope.setContext('trpc', { procedure_path: path, procedure_type: type, input });
      return startSpan({ name: `trpc/${path}`, op: 'rpc.server', attributes, forceTransaction }, async (span) => {
        const result = await next();
        const error = readProperty(result, 'ok') === false ? readProperty(result, 'error') : undefined;
        if (error !== undefined) {
          span.setStatus({ code: SpanStatusCode.ERROR, message: 'internal_error' });
          captureException(error, { mechanism: MECHANISM });
        }
        return result;
      });
    });
  };
  return middleware as unknown as <T>(call: TrpcCall<T>) => T extends Promise<unknown> ? T : Promise<T>;
}

/** Version 11 of tRPC reads the input when it is asked for it. */
async function readInput({ rawInput, getRawInput }: TrpcCall<unknown>): Promise<unknown> {
  return rawInput ?? (await getRawInput?.().catch(() => undefined));
}
