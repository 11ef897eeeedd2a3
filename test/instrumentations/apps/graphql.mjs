import express from 'express';
import { captureException } from 'faultline';
import { GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/express';
import { announceServer, failToLoad, loadUser } from './users.mjs';

const id = { type: new GraphQLNonNull(GraphQLString) };
const User = new GraphQLObjectType({ name: 'User', fields: { id } });
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      user: { type: User, args: { id }, resolve: (_, { id }) => loadUser(id) },
      brokenUser: { type: User, args: { id }, resolve: (_, { id }) => failToLoad(id) },
    },
  }),
});

const app = express();
app.all(
  '/graphql',
  createHandler({
    schema,
    formatError(error) {
      captureException(error.originalError ?? error);
      return error;
    },
  }),
);

const server = app.listen(0, '127.0.0.1', () => announceServer(server));
