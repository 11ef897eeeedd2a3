import {
  type CaptureConsoleOptions,
  type ChildProcessOptions,
  type ConsoleMethod,
  type ConsoleOptions,
  type ContextLinesOptions,
  captureConsoleIntegration,
  childProcessIntegration,
  consoleIntegration,
  contextLinesIntegration,
  conversationIdIntegration,
  dedupeIntegration,
  type ExtraErrorDataOptions,
  extraErrorDataIntegration,
  type FetchOptions,
  fastifyIntegration,
  fetchIntegration,
  functionToStringIntegration,
  type HttpClientOptions,
  type HttpServerOptions,
  httpClientIntegration,
  httpServerIntegration,
  type Integration,
  type LinkedErrorsOptions,
  type LocalVariablesOptions,
  linkedErrorsIntegration,
  localVariablesIntegration,
  type ModulesOptions,
  modulesIntegration,
  type NodeContextOptions,
  nodeContextIntegration,
  onUncaughtExceptionIntegration,
  onUnhandledRejectionIntegration,
  processExitIntegration,
  processSessionIntegration,
  processSignalsIntegration,
  type RequestDataOptions,
  type RewriteFramesOptions,
  requestDataIntegration,
  rewriteFramesIntegration,
  type SystemErrorOptions,
  systemErrorIntegration,
  type UncaughtExceptionOptions,
  type UnhandledRejectionOptions,
  type ZodErrorsOptions,
  zodErrorsIntegration,
} from 'faultline';
import { expectType } from './expect-type.js';

expectType<Integration>(captureConsoleIntegration({ levels: ['error', 'assert'], handled: false }));
// @ts-expect-error methods of the console
captureConsoleIntegration({ levels: ['fatal'] });
// @ts-expect-error are a list
captureConsoleIntegration({ levels: 'error' });
expectType<CaptureConsoleOptions>({ levels: undefined });
// @ts-expect-error handled or not
expectType<CaptureConsoleOptions>({ handled: 'no' });
// @ts-expect-error methods of the console
expectType<CaptureConsoleOptions>({ levels: ['warning'] });
expectType<ConsoleMethod[]>(['debug', 'info', 'warn', 'error', 'log', 'trace', 'assert']);
// @ts-expect-error a level is no method
expectType<ConsoleMethod>('warning');
// @ts-expect-error neither is this captured
expectType<ConsoleMethod>('table');

expectType<Integration>(childProcessIntegration({ includeChildProcessArgs: true, captureWorkerErrors: false }));
// @ts-expect-error yes or no
childProcessIntegration({ captureWorkerErrors: 'no' });
// @ts-expect-error options are an object
childProcessIntegration(true);
expectType<ChildProcessOptions>({});
// @ts-expect-error no option of it
expectType<ChildProcessOptions>({ args: true });
// @ts-expect-error yes or no
expectType<ChildProcessOptions>({ includeChildProcessArgs: 'all' });

expectType<Integration>(consoleIntegration());
expectType<Integration>(consoleIntegration({ filter: ['ping', /^DEBUG/] }));
expectType<ConsoleOptions>({ filter: undefined });
// @ts-expect-error a list
consoleIntegration({ filter: 'ping' });
// @ts-expect-error no method of the console
expectType<ConsoleOptions>({ levels: ['fatal'] });
// @ts-expect-error matchers are strings and patterns
expectType<ConsoleOptions>({ filter: [1] });
consoleIntegration({ levels: ['error'] });
// @ts-expect-error it is no class
new consoleIntegration();

expectType<Integration>(contextLinesIntegration({ frameContextLines: 3 }));
// @ts-expect-error how many is a number
contextLinesIntegration({ frameContextLines: '3' });
// @ts-expect-error within options
contextLinesIntegration(3);
expectType<ContextLinesOptions>({ frameContextLines: undefined });
// @ts-expect-error none is 0
expectType<ContextLinesOptions>({ frameContextLines: false });
// @ts-expect-error how many is a number
expectType<ContextLinesOptions>({ frameContextLines: [3, 3] });

expectType<Integration>(conversationIdIntegration());
// @ts-expect-error the id is the scope's
conversationIdIntegration('c');
// @ts-expect-error it is no class
new conversationIdIntegration();

expectType<Integration>(dedupeIntegration());
// @ts-expect-error it takes nothing
dedupeIntegration({ window: 10 });
// @ts-expect-error it is no class
new dedupeIntegration();

expectType<Integration>(extraErrorDataIntegration({ captureErrorCause: false, includeToJSON: undefined }));
extraErrorDataIntegration({ depth: 3 });
// @ts-expect-error a number
extraErrorDataIntegration({ depth: '3' });
// @ts-expect-error yes or no
extraErrorDataIntegration({ includeToJSON: 1 });
expectType<ExtraErrorDataOptions>({ includeToJSON: true });
// @ts-expect-error yes or no
expectType<ExtraErrorDataOptions>({ captureErrorCause: 'cause' });
expectType<ExtraErrorDataOptions>({ depth: 3 });
// @ts-expect-error a number
expectType<ExtraErrorDataOptions>({ depth: '3' });

expectType<Integration>(fastifyIntegration());
fastifyIntegration({ shouldHandleError: (_error, { routeOptions }) => routeOptions?.url !== '/health' });
// @ts-expect-error: it is decided for each error
fastifyIntegration({ shouldHandleError: false });
// @ts-expect-error: it is an object
fastifyIntegration().toUpperCase();
expectType<Integration>(fetchIntegration({ breadcrumbs: false }));
// @ts-expect-error yes or no
fetchIntegration({ breadcrumbs: 0 });
fetchIntegration({ spans: true });
// @ts-expect-error no option of it
fetchIntegration({ ignoreRequests: [] });
expectType<FetchOptions>({ breadcrumbs: undefined });
// @ts-expect-error yes or no
expectType<FetchOptions>({ breadcrumbs: 'all' });
// @ts-expect-error yes or no
expectType<FetchOptions>({ spans: 'all' });

expectType<Integration>(functionToStringIntegration());
// @ts-expect-error it takes nothing
functionToStringIntegration({});
// @ts-expect-error it is no class
new functionToStringIntegration();

expectType<Integration>(httpClientIntegration({ breadcrumbs: false }));
// @ts-expect-error yes or no
httpClientIntegration({ breadcrumbs: null });
// @ts-expect-error no option of it
httpClientIntegration({ ignore: ['/'] });
expectType<HttpClientOptions>({ breadcrumbs: true });
// @ts-expect-error yes or no
expectType<HttpClientOptions>({ breadcrumbs: [] });
// @ts-expect-error yes or no
expectType<HttpClientOptions>({ spans: 1 });

expectType<Integration>(httpServerIntegration({ maxIncomingRequestBodySize: 'small' }));
// @ts-expect-error one of four sizes
httpServerIntegration({ maxIncomingRequestBodySize: 1000 });
// @ts-expect-error yes or no
httpServerIntegration({ trackIncomingRequestsAsSessions: 'yes' });
httpServerIntegration({ spans: true, ignoreRequests: ['/health', /\.css$/], ignoreStatusCodes: [404, [300, 399]] });
httpServerIntegration({ ignoreRequests: ({ method, url, headers }) => method === url || headers.host === 'a' });
// @ts-expect-error a number or a range
httpServerIntegration({ ignoreStatusCodes: ['404'] });
// @ts-expect-error strings, patterns or a function
httpServerIntegration({ ignoreRequests: '/health' });
expectType<HttpServerOptions[]>([{ maxIncomingRequestBodySize: 'none' }, { maxIncomingRequestBodySize: 'always' }]);
// @ts-expect-error one of four sizes
expectType<HttpServerOptions>({ maxIncomingRequestBodySize: 'large' });
// @ts-expect-error yes or no
expectType<HttpServerOptions>({ trackIncomingRequestsAsSessions: 1 });

expectType<Integration>(linkedErrorsIntegration({ key: 'reason', limit: 10 }));
// @ts-expect-error how many is a number
linkedErrorsIntegration({ limit: '10' });
// @ts-expect-error a key is a text
linkedErrorsIntegration({ key: Symbol('cause') });
expectType<LinkedErrorsOptions>({ key: undefined });
// @ts-expect-error one key
expectType<LinkedErrorsOptions>({ key: ['cause'] });
// @ts-expect-error how many is a number
expectType<LinkedErrorsOptions>({ limit: 5n });

expectType<Integration>(localVariablesIntegration({ captureAllExceptions: false, maxExceptionsPerSecond: 10 }));
// @ts-expect-error how many is a number
localVariablesIntegration({ maxExceptionsPerSecond: '10' });
// @ts-expect-error yes or no
localVariablesIntegration({ captureAllExceptions: 'yes' });
expectType<LocalVariablesOptions>({});
// @ts-expect-error no option of it
expectType<LocalVariablesOptions>({ depth: 3 });
// @ts-expect-error how many is a number
expectType<LocalVariablesOptions>({ maxExceptionsPerSecond: true });

expectType<Integration>(modulesIntegration({ folder: '/app' }));
// @ts-expect-error a path is a text
modulesIntegration({ folder: new URL('file:///app') });
// @ts-expect-error within options
modulesIntegration('/app');
expectType<ModulesOptions>({ folder: undefined });
// @ts-expect-error one folder
expectType<ModulesOptions>({ folder: ['/app'] });
// @ts-expect-error a path is a text
expectType<ModulesOptions>({ folder: true });

expectType<Integration>(nodeContextIntegration({ os: false, cloudResource: false }));
// @ts-expect-error yes or no
nodeContextIntegration({ device: { cpu: false } });
// @ts-expect-error no option of it
nodeContextIntegration({ cloud_resource: false });
expectType<NodeContextOptions>({ app: true, device: true, culture: true, runtime: true });
// @ts-expect-error yes or no
expectType<NodeContextOptions>({ os: 'linux' });
// @ts-expect-error the options' names, not the contexts'
expectType<NodeContextOptions>({ cloud_resource: true });

expectType<Integration>(onUncaughtExceptionIntegration({ exitEvenIfOtherHandlersAreRegistered: true }));
onUncaughtExceptionIntegration({ onFatalError: (error) => void error });
// @ts-expect-error a handler is a function
onUncaughtExceptionIntegration({ onFatalError: 'exit' });
// @ts-expect-error anything can be thrown
onUncaughtExceptionIntegration({ onFatalError: (error: Error) => void error });
expectType<UncaughtExceptionOptions>({ onFatalError: undefined });
// @ts-expect-error yes or no
expectType<UncaughtExceptionOptions>({ exitEvenIfOtherHandlersAreRegistered: 1 });
// @ts-expect-error a handler is a function
expectType<UncaughtExceptionOptions>({ onFatalError: 1 });

expectType<Integration>(onUnhandledRejectionIntegration({ mode: 'strict', ignore: ['TimeoutError', /^Abort/] }));
// @ts-expect-error not one of the modes
onUnhandledRejectionIntegration({ mode: 'exit' });
// @ts-expect-error matchers are a list
onUnhandledRejectionIntegration({ ignore: 'TimeoutError' });
expectType<UnhandledRejectionOptions[]>([{ mode: 'none' }, { mode: 'warn' }]);
// @ts-expect-error a name, not the class
expectType<UnhandledRejectionOptions>({ ignore: [RangeError] });
// @ts-expect-error not one of the modes
expectType<UnhandledRejectionOptions>({ mode: false });

expectType<Integration>(processExitIntegration());
// @ts-expect-error it takes nothing
processExitIntegration(2000);
// @ts-expect-error it is no class
new processExitIntegration();

expectType<Integration>(processSessionIntegration());
// @ts-expect-error it takes nothing
processSessionIntegration({ release: 'shop@1' });
// @ts-expect-error it is no class
new processSessionIntegration();

expectType<Integration>(processSignalsIntegration());
// @ts-expect-error it takes nothing
processSignalsIntegration(['SIGTERM']);
// @ts-expect-error it is no class
new processSignalsIntegration();

expectType<Integration>(requestDataIntegration({ include: { cookies: true, ip: undefined } }));
// @ts-expect-error no part of a request
requestDataIntegration({ include: { body: true } });
// @ts-expect-error parts are a map
requestDataIntegration({ include: ['cookies'] });
expectType<RequestDataOptions>({ include: { data: false, headers: true, query_string: true, url: true } });
// @ts-expect-error yes or no
expectType<RequestDataOptions>({ include: { headers: ['accept'] } });
// @ts-expect-error parts are a map
expectType<RequestDataOptions>({ include: 'cookies' });

expectType<Integration>(rewriteFramesIntegration({ root: '/app', prefix: 'app:///' }));
rewriteFramesIntegration({ iteratee: (frame) => ({ ...frame, filename: 'a.js' }) });
// @ts-expect-error a frame comes out again
rewriteFramesIntegration({ iteratee: () => undefined });
// @ts-expect-error a folder is a text
rewriteFramesIntegration({ root: new URL('file:///app') });
expectType<RewriteFramesOptions>({ root: undefined });
// @ts-expect-error a prefix is a text
expectType<RewriteFramesOptions>({ prefix: false });
// @ts-expect-error a folder is a text
expectType<RewriteFramesOptions>({ root: /app/ });

expectType<Integration>(systemErrorIntegration({ includePaths: true }));
// @ts-expect-error yes or no
systemErrorIntegration({ includePaths: ['/tmp'] });
// @ts-expect-error within options
systemErrorIntegration(true);
expectType<SystemErrorOptions>({ includePaths: undefined });
// @ts-expect-error yes or no
expectType<SystemErrorOptions>({ includePaths: 1 });
// @ts-expect-error no option of it
expectType<SystemErrorOptions>({ paths: true });

expectType<Integration>(zodErrorsIntegration({ limit: 5, saveZodIssuesAsAttachment: true }));
// @ts-expect-error how many is a number
zodErrorsIntegration({ limit: '5' });
// @ts-expect-error yes or no
zodErrorsIntegration({ saveZodIssuesAsAttachment: 'issues.json' });
expectType<ZodErrorsOptions>({ limit: undefined });
// @ts-expect-error no option of it
expectType<ZodErrorsOptions>({ maxIssues: 5 });
// @ts-expect-error how many is a number
expectType<ZodErrorsOptions>({ limit: true });
