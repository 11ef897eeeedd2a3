import 'reflect-metadata';
import { captureException, startSpan } from 'faultline';
import { enter, later, withStatus } from './ways.mjs';

/** Applies decorators as TypeScript does. */
const decorate = (target, ...decorators) => {
  for (const one of decorators) one(target);
  return target;
};

export async function start({ common, core, createAdapter }, faultline, setup) {
  const { Catch, Controller, Get, HttpException, Module, NotFoundException, UseFilters, UseGuards, UseInterceptors } =
    common;
  const { UsePipes, ParseIntPipe, Param } = common;

  class Special extends Error {}
  const handlers = {
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
    object() {
      throw { code: 'object' };
    },
    'not-found'() {
      throw new NotFoundException('not-found');
    },
    'http-errors'() {
      throw withStatus('http-errors', 404);
    },
    'only-status'() {
      throw Object.assign(new Error('only-status'), { status: 404 }); // Nest answers it with 500
    },
    unavailable() {
      throw new HttpException('unavailable', 503);
    },
    pipe() {},
    guard() {},
    interceptor() {},
    middleware() {},
    'upstream-404'() {
      throw new NotFoundException('upstream-404');
    },
    filtered() {
      throw new Error('filtered');
    },
    globally() {
      throw new Special('globally');
    },
    span() {
      return startSpan({ name: 'work' }, () => Promise.reject(new Error('span')));
    },
    'span-string'() {
      return startSpan({ name: 'work' }, () => Promise.reject('span-string'));
    },
    'span-not-found'() {
      return startSpan({ name: 'work' }, () => Promise.reject(new NotFoundException('span-not-found')));
    },
    'by-hand'() {
      const error = new Error('by-hand');
      captureException(error);
      throw error;
    },
  };

  class Failures {}
  Object.assign(Failures.prototype, handlers);
  for (const way of Object.keys(handlers)) {
    const descriptor = Object.getOwnPropertyDescriptor(Failures.prototype, way);
    const apply = (decorator) => decorator(Failures.prototype, way, descriptor);
    apply(Get(`${way}/:id`));
    if (way === 'guard') {
      apply(
        UseGuards({
          canActivate() {
            throw new Error('guard');
          },
        }),
      );
    }
    if (way === 'interceptor') {
      apply(
        UseInterceptors({
          intercept() {
            throw new Error('interceptor');
          },
        }),
      );
    }
    if (way === 'pipe') {
      Param('id', ParseIntPipe)(Failures.prototype, way, 0);
      apply(
        UsePipes({
          transform() {
            throw new Error('pipe');
          },
        }),
      );
    }
    if (way === 'filtered' || way === 'upstream-404') {
      class Filter {
        catch(_error, host) {
          host.switchToHttp().getResponse().status(500).send({ sorry: true });
        }
      }
      apply(UseFilters(decorate(Filter, Catch())));
    }
  }
  decorate(Failures, Controller());

  class GlobalFilter {
    catch(_error, host) {
      host.switchToHttp().getResponse().status(500).send({ globally: true });
    }
  }
  decorate(GlobalFilter, Catch(Special));

  class App {
    configure(consumer) {
      consumer
        .apply((request, _response, next) => {
          enter(request.originalUrl);
          next();
        })
        .forRoutes(Failures)
        .apply(() => {
          throw new Error('middleware');
        })
        .forRoutes('middleware/:id');
    }
  }
  const isModule = setup === 'module';
  decorate(
    App,
    Module({ imports: faultline && isModule ? [faultline.FaultlineModule.forRoot()] : [], controllers: [Failures] }),
  );

  const adapter = createAdapter ? [createAdapter()] : [];
  const app = await core.NestFactory.create(App, ...adapter, { logger: false });
  app.useGlobalFilters(new GlobalFilter());
  if (!isModule) faultline?.setupNestErrorHandler(app);
  await app.listen(0, '127.0.0.1');
  return app.getHttpServer();
}
