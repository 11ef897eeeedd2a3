import 'reflect-metadata';
import { captureException, startSpan } from 'faultline';
import { enter, later } from './ways.mjs';

const decorate = (target, ...decorators) => {
  for (const one of decorators) one(target);
  return target;
};

export async function start({ common, core, graphql, ApolloDriver }, faultline) {
  const { ForbiddenException, HttpException, Module } = common;
  const resolvers = {
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
    forbidden() {
      throw new ForbiddenException('forbidden');
    },
    unavailable() {
      throw new HttpException('unavailable', 503);
    },
    span() {
      return startSpan({ name: 'work' }, () => Promise.reject(new Error('span')));
    },
    'by-hand'() {
      const error = new Error('by-hand');
      captureException(error);
      throw error;
    },
    fine: () => 'fine',
  };
  const ofOrder = {
    sync() {
      throw new Error('field');
    },
    forbidden() {
      throw new ForbiddenException('forbidden');
    },
  };
  class Failures {}
  for (const [name, resolve] of Object.entries(resolvers)) {
    const field = name.replace('-', '');
    Failures.prototype[field] = resolve;
    graphql.Query(field)(Failures.prototype, field, Object.getOwnPropertyDescriptor(Failures.prototype, field));
  }
  decorate(Failures, graphql.Resolver('Query'));
  Failures.prototype.order = () => ({});
  graphql.Query('order')(Failures.prototype, 'order', Object.getOwnPropertyDescriptor(Failures.prototype, 'order'));
  class Orders {}
  for (const [field, resolve] of Object.entries(ofOrder)) {
    Orders.prototype[field] = resolve;
    graphql.ResolveField(field)(Orders.prototype, field, Object.getOwnPropertyDescriptor(Orders.prototype, field));
  }
  decorate(Orders, graphql.Resolver('Order'));

  class App {
    configure(consumer) {
      consumer
        .apply((request, _response, next) => {
          enter(request.originalUrl);
          next();
        })
        .forRoutes('*path');
    }
  }
  const fields = Object.keys(resolvers).map((name) => `${name.replace('-', '')}: String`);
  decorate(
    App,
    Module({
      imports: [
        ...(faultline ? [faultline.FaultlineModule.forRoot()] : []),
        graphql.GraphQLModule.forRoot({
          driver: ApolloDriver,
          path: '/*path',
          csrfPrevention: false,
          typeDefs: `type Query { ${fields.join(' ')} order: Order } type Order { sync: String forbidden: String }`,
          // Nest calls no interceptors and filters for fields of objects.
          plugins: faultline ? [(await import('faultline/apollo')).createApolloErrorPlugin()] : [],
        }),
      ],
      providers: [Failures, Orders],
    }),
  );
  const app = await core.NestFactory.create(App, { logger: false });
  await app.listen(0, '127.0.0.1');
  return app.getHttpServer();
}
