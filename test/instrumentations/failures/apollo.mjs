import { once } from 'node:events';
import { createServer } from 'node:http';
import { startSpan } from 'faultline';
import { GraphQLError } from 'graphql';
import { enter, later } from './ways.mjs';

const typeDefs = `type Query {
  sync: String, rejection: String, string: String, nested: Nested, twice: String,
  forbidden: String, coded: String, uncoded: String, unavailable: String, span: String, context: String, fine: String
}
type Nested { deeper: String! }`;

const client = (message, extensions) => {
  throw new GraphQLError(message, { extensions });
};

const resolvers = {
  Query: {
    sync() {
      throw new Error('sync');
    },
    async rejection() {
      await later();
      throw new Error('rejection');
    },
    string() {
      throw 'string';
    },
    nested: () => ({}),
    forbidden: () => client('forbidden', { code: 'FORBIDDEN' }),
    coded: () => client('coded', { code: 'NOT_FOUND' }),
    uncoded: () => client('uncoded'),
    unavailable: () => client('unavailable', { http: { status: 503 } }),
    span: () => startSpan({ name: 'work' }, () => Promise.reject(new Error('span'))),
    fine: () => 'fine',
  },
  Nested: {
    deeper() {
      throw new Error('nested');
    },
  },
};

/** A server without any of its integrations: they all call this. */
export async function start({ ApolloServer, HeaderMap }, faultline) {
  const plugins = faultline ? [faultline.createApolloErrorPlugin()] : [];
  const apollo = new ApolloServer({
    typeDefs,
    resolvers,
    plugins: [...plugins],
    includeStacktraceInErrorResponses: false,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  await apollo.start();
  const server = createServer(async (request, response) => {
    enter(request.url);
    const { searchParams, pathname } = new URL(request.url, 'http://localhost');
    const headers = new HeaderMap([['apollo-require-preflight', 'yes']]);
    const answer = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: 'GET', headers, search: `?${searchParams}`, body: {} },
      context: async () => {
        if (pathname.startsWith('/context/')) throw new Error('context');
        return {};
      },
    });
    response.writeHead(answer.status ?? 200).end(answer.body.string);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export { resolvers, typeDefs };
