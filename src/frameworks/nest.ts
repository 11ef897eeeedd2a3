import { context as contextApi, type Span, SpanKind } from '@opentelemetry/api';
import { getIsolationScope, withIsolationScope } from '../context/current-scopes.js';
import { reportMistake } from '../context/observed/report-mistakes.js';
import { processWide } from '../context/process-wide.js';
import { guardOwn } from '../internal/guard.js';
import { readStatus } from '../internal/http-status.js';
import { isArray, readProperty } from '../internal/values/read.js';
import { ATTRIBUTE } from '../model/event/span-json.js';
import {
  createErrorReporter,
  type ErrorHandlerOptions,
  isExpectedStatus,
  nameRoute,
} from './shared/capture-framework-error.js';
import { setUpApp } from './shared/check-arguments.js';
import { beginOwnTrace, failSpan, type RootSpanOptions, runInRootSpan } from './shared/root-span.js';

/** The part of a Nest application that is used. */
export interface NestApp {
  useGlobalFilters(...filters: never[]): unknown;
  useGlobalInterceptors(...interceptors: never[]): unknown;
}

/** An application that also listens for messages. */
interface HybridApp {
  getMicroservices?(): unknown;
}

/** Options of {@link FaultlineModule} and {@link setupNestErrorHandler}. */
export type NestErrorHandlerOptions = ErrorHandlerOptions;

/** An exception filter that looks at each exception and catches none. */
export interface NestFilter {
  catch(): void;
}

/** An interceptor that looks at what handlers, pipes and inner interceptors fail with. */
export interface NestInterceptor {
  intercept(context: object, next: { handle(): never }): never;
}

type Report = (error: unknown, context?: object) => void;

/** What `FaultlineModule.forRoot` gives to Nest. */
export interface NestDynamicModule {
  module: typeof FaultlineModule;
  providers: { provide: string; useValue: object }[];
}

/**
 * Captures the errors of a Nest application (10 to 12); exceptions answered with 4xx are left out by default. Filters,
 * yours and Nest's, answer as before. Import it first: `@Module({ imports: [FaultlineModule.forRoot(), …] })`.
 */
// biome-ignore lint/complexity/noStaticOnlyClass: modules of Nest are classes.
export class FaultlineModule {
  static forRoot(options?: NestErrorHandlerOptions): NestDynamicModule {
    const report = createReport(options);
    return {
      module: FaultlineModule,
      providers: [
        { provide: 'APP_FILTER', useValue: createExceptionFilter(report) },
        { provide: 'APP_INTERCEPTOR', useValue: createInterceptor(report) },
      ],
    };
  }
}

/**
 * Does what {@link FaultlineModule} does, for an application without the module. Call it after `useGlobalFilters`, so
 * that exceptions of guards and middleware are seen before a filter of yours answers them, and before
 * `connectMicroservice`.
 */
export function setupNestErrorHandler(app: NestApp, options?: NestErrorHandlerOptions): void {
  setUpApp('setupNestErrorHandler', app, ['useGlobalFilters', 'useGlobalInterceptors'], () => {
    const microservices = guardOwn('getMicroservices', () => (app as HybridApp).getMicroservices?.());
    if (isArray(microservices) && microservices.length > 0) {
      const problem = 'it misses microservices that are already connected: call it before connectMicroservice';
      reportMistake('setupNestErrorHandler', problem);
    }
    if (readProperty(app, 'isInitialized') === true)
      reportMistake('setupNestErrorHandler', 'it misses routes that are there: call it before listen() and init()');
    const report = createReport(options);
    Reflect.apply(app.useGlobalFilters, app, [createExceptionFilter(report)]);
    Reflect.apply(app.useGlobalInterceptors, app, [createInterceptor(report)]);
  });
}

function createReport(options: NestErrorHandlerOptions | undefined): Report {
  const report = createErrorReporter('setupNestErrorHandler', 'auto.middleware.nest', options);
  return (error, context) => {
    report({
      error,
      args: [],
      isExpected: isExpectedStatus(answeredStatus(error)),
      unit: isIsolated() ? getIsolationScope() : undefined,
      transactionName: context && guardOwn('a context of Nest', () => nameOf(context)),
    });
  };
}

/** Nest asks each filter for the classes that it catches, in this metadata, and by `instanceof` whether one fits. */
function createExceptionFilter(report: Report): NestFilter {
  const observer = {
    [Symbol.hasInstance](exception: unknown): boolean {
      report(exception);
      return false;
    },
  };
  class FaultlineFilter implements NestFilter {
    catch(): void {}
  }
  const { defineMetadata } = Reflect as { defineMetadata?: (key: string, value: unknown, target: object) => void };
  for (const target of [FaultlineFilter, FaultlineFilter.prototype]) {
    defineMetadata?.('__filterCatchExceptions__', [observer], target);
  }
  return new FaultlineFilter();
}

function createInterceptor(report: Report): NestInterceptor {
  return {
    intercept(context, next) {
      const observe = (hear: Report, span?: Span) => {
        const fail = (error: unknown): void => {
          hear(error, context);
          failSpan(span);
        };
        return observeErrors(next.handle(), fail, () => span?.end());
      };
      if (!isMessage(context) || isIsolated()) return observe(report);
      // Nest runs inner interceptors and the handler in the context in which `next.handle()` is called.
      return withIsolationScope(() => {
        beginOwnTrace();
        return runInRootSpan(
          () => describeMessage(context),
          (span) => observe(contextApi.bind(contextApi.active(), report), span),
        );
      });
    },
  };
}

/** Whether a request, or a message that instrumentation has made a span for, has a scope already. */
function isIsolated(): boolean {
  return getIsolationScope() !== processWide().fallback.isolation;
}

interface NestContext {
  getType(): string;
  getClass(): { name: string };
  getHandler(): { name: string };
  switchToHttp(): { getRequest(): unknown };
}

/** Whether a microservice handles a message. */
function isMessage(context: object): boolean {
  return guardOwn('a context of Nest', () => (context as NestContext).getType() === 'rpc', false);
}

/** The transaction name: the route with Fastify (with Express, the request has it), class and method for a message. */
function nameOf(nest: object): string | undefined {
  const context = nest as NestContext;
  if (isMessage(context)) return `${context.getClass().name}.${context.getHandler().name}`;
  if (context.getType() !== 'http') return undefined;
  const request = context.switchToHttp().getRequest();
  return nameRoute(readProperty(request, 'method'), readProperty(readProperty(request, 'routeOptions'), 'url'));
}

/** Of `HttpException`, and of errors that Nest takes for one; it answers all others with 500. */
function answeredStatus(error: unknown): number | undefined {
  const isHttpException = typeof readProperty(error, 'getStatus') === 'function';
  const isHttpError = readProperty(error, 'statusCode') && readProperty(error, 'message');
  return isHttpException || isHttpError ? readStatus(error) : undefined;
}

function describeMessage(context: object): RootSpanOptions {
  return {
    name: nameOf(context) ?? 'message',
    kind: SpanKind.SERVER,
    attributes: { [ATTRIBUTE.op]: 'rpc', [ATTRIBUTE.origin]: 'auto.function.nest', [ATTRIBUTE.source]: 'component' },
  };
}

interface Observer {
  next(value: unknown): void;
  error(error: unknown): void;
  complete(): void;
}

interface Observable {
  subscribe(observer: Observer): { unsubscribe(): void };
}

/**
 * An observable like the given one that calls `observe` with what it fails with, and `finish` when it is done or no longer
 * wanted. RxJS comes from the application.
 */
function observeErrors<T>(source: T, observe: (error: unknown) => void, finish: () => void): T {
  const observable = source as Observable;
  const ObservableClass = observable.constructor as new (subscribe: (subscriber: Observer) => unknown) => unknown;
  return new ObservableClass((subscriber) => {
    const subscription = observable.subscribe({
      next: (value) => subscriber.next(value),
      error: (error) => {
        observe(error);
        subscriber.error(error);
      },
      complete: () => subscriber.complete(),
    });
    return () => {
      subscription.unsubscribe();
      finish();
    };
  }) as T;
}
