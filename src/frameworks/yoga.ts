import { noteOperation } from '../context/request/running-request.js';
import { readList, readProperty } from '../internal/values/read.js';
import type { ErrorHandlerOptions } from './shared/capture-framework-error.js';
import { expectCall } from './shared/check-arguments.js';
import { createGraphQLReporter, isClientError, isGraphQLError, unwrapGraphQLError } from './shared/graphql-error.js';

/** What `shouldHandleError` gets beside the error: what GraphQL executes, where it has come so far. */
export type YogaArgs = readonly [executionArgs: object | undefined];

/** Options of {@link createYogaErrorPlugin}; `shouldHandleError` also gets what GraphQL executes. */
export type YogaErrorPluginOptions = ErrorHandlerOptions<YogaArgs>;

interface Executing {
  readonly args: object;
}

interface ResultHooks {
  onNext(payload: { result: unknown }): void;
}

/** A plugin of GraphQL Yoga and of Envelop. */
export interface YogaErrorPlugin {
  onPluginInit(init: { registerContextErrorHandler(handler: (failure: { error: unknown }) => void): void }): void;
  onExecute(executing: Executing): { onExecuteDone(done: { result: unknown }): ResultHooks };
  onSubscribe(executing: Executing): {
    onSubscribeResult(done: { result: unknown }): ResultHooks;
    onSubscribeError(failure: { error: unknown }): void;
  };
}

/**
 * Makes a plugin for GraphQL Yoga 5 that captures what resolvers, subscriptions and the context function throw. A
 * `GraphQLError` is meant for the client and left out by default, unless its extensions name a status of 5xx or the code
 * `INTERNAL_SERVER_ERROR`. The operation becomes a part of the transaction's name: `POST /graphql (query Orders)`.
 */
export function createYogaErrorPlugin(options?: YogaErrorPluginOptions): YogaErrorPlugin {
  const observe = createGraphQLReporter('createYogaErrorPlugin', 'auto.middleware.yoga', options, isMeantForClient);
  const observeResult = (result: unknown, args: object): void => {
    for (const error of readList(readProperty(result, 'errors'))) observe(error, args);
  };
  const observeResults = (first: unknown, args: object): ResultHooks => {
    observeResult(first, args);
    return { onNext: ({ result }) => observeResult(result, args) };
  };
  return {
    onPluginInit: ({ registerContextErrorHandler }) => registerContextErrorHandler(({ error }) => observe(error)),
    onExecute({ args }) {
      nameRequest(args);
      return { onExecuteDone: ({ result }) => observeResults(result, args) };
    },
    onSubscribe({ args }) {
      nameRequest(args);
      return {
        onSubscribeResult: ({ result }) => observeResults(result, args),
        onSubscribeError: ({ error }) => observe(error, args),
      };
    },
  };
}
expectCall(createYogaErrorPlugin, 'onPluginInit');

/** The client names an operation only where its document has several. */
function nameRequest(args: object): void {
  const wanted = readProperty(args, 'operationName') ?? undefined;
  const operations = readList(readProperty(readProperty(args, 'document'), 'definitions')).filter(
    (definition) => readProperty(definition, 'kind') === 'OperationDefinition',
  );
  const operation = operations.find((one) => wanted === undefined || nameOf(one) === wanted);
  noteOperation(readProperty(operation, 'operation'), nameOf(operation));
}

function nameOf(operation: unknown): unknown {
  return readProperty(readProperty(operation, 'name'), 'value');
}

/** Yoga passes on what was thrown as `GraphQLError`, and masks everything else. */
function isMeantForClient(error: unknown): boolean {
  const thrown = unwrapGraphQLError(error);
  if (isClientError(thrown)) return true;
  if (!isGraphQLError(thrown)) return false;
  const extensions = readProperty(thrown, 'extensions');
  return readProperty(extensions, 'http') === undefined && readProperty(extensions, 'code') !== 'INTERNAL_SERVER_ERROR';
}
