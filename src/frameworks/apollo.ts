import { noteOperation } from '../context/request/running-request.js';
import { readList, readProperty } from '../internal/values/read.js';
import type { ErrorHandlerOptions } from './shared/capture-framework-error.js';
import { expectCall } from './shared/check-arguments.js';
import { createGraphQLReporter, isClientError } from './shared/graphql-error.js';

/** What `shouldHandleError` gets beside the error: Apollo's context of the request, where there is one. */
export type ApolloArgs = readonly [requestContext: object | undefined];

/** Options of {@link createApolloErrorPlugin}; `shouldHandleError` also gets the context of the request. */
export type ApolloErrorPluginOptions = ErrorHandlerOptions<ApolloArgs>;

/** A plugin of Apollo Server. */
export interface ApolloErrorPlugin {
  requestDidStart(): Promise<{
    didResolveOperation(requestContext: object): Promise<void>;
    didEncounterErrors(requestContext: object): Promise<void>;
  }>;
  unexpectedErrorProcessingRequest(failure: { requestContext: object; error: Error }): Promise<void>;
  contextCreationDidFail(failure: { error: Error }): Promise<void>;
  startupDidFail(failure: { error: Error }): Promise<void>;
}

/**
 * Makes a plugin for Apollo Server (4 or 5) that captures what resolvers, plugins and the context function throw. By
 * default errors whose code names a mistake of the client (`BAD_USER_INPUT`, `FORBIDDEN`, …) are left out. The operation
 * becomes a part of the transaction's name: `POST /graphql (query Orders)`.
 */
export function createApolloErrorPlugin(options?: ApolloErrorPluginOptions): ApolloErrorPlugin {
  const observe = createGraphQLReporter('createApolloErrorPlugin', 'auto.middleware.apollo', options, isClientError);
  return {
    async requestDidStart() {
      return {
        async didResolveOperation(requestContext) {
          const type = readProperty(readProperty(requestContext, 'operation'), 'operation');
          noteOperation(type, readProperty(requestContext, 'operationName'));
        },
        async didEncounterErrors(requestContext) {
          for (const error of readList(readProperty(requestContext, 'errors'))) observe(error, requestContext);
        },
      };
    },
    async unexpectedErrorProcessingRequest({ error, requestContext }) {
      observe(error, requestContext);
    },
    async contextCreationDidFail({ error }) {
      observe(error);
    },
    async startupDidFail({ error }) {
      observe(error);
    },
  };
}
expectCall(createApolloErrorPlugin, 'requestDidStart');
