import { ApolloDriver } from '@nestjs/apollo';
import * as graphql from '@nestjs/graphql';

export { common, core } from './index.js';
export { ApolloDriver, graphql };
