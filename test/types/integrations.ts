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
// @ts-expect-error 'fatal' is not a method of the console
captureConsoleIntegration({ levels: ['fatal'] });
// @ts-expect-error levels are a list
captureConsoleIntegration({ levels: 'error' });
expectType<CaptureConsoleOptions>({ levels: undefined });
// @ts-expect-error `handled` is a boolean
expectType<CaptureConsoleOptions>({ handled: 'no' });
// @ts-expect-error 'warning' is not a method of the console
expectType<CaptureConsoleOptions>({ levels: ['warning'] });
expectType<ConsoleMethod[]>(['debug', 'info', 'warn', 'error', 'log', 'trace', 'assert']);
// @ts-expect-error 'warning' is not a method of the console
expectType<ConsoleMethod>('warning');
// @ts-expect-error console.table is not captured
expectType<ConsoleMethod>('table');

expectType<Integration>(childProcessIntegration({ includeChildProcessArgs: true, captureWorkerErrors: false }));
// @ts-expect-error `captureWorkerErrors` is a boolean
childProcessIntegration({ captureWorkerErrors: 'no' });
// @ts-expect-error options are an object
childProcessIntegration(true);
expectType<ChildProcessOptions>({});
// @ts-expect-error there is no option `args`
expectType<ChildProcessOptions>({ args: true });
// @ts-expect-error `includeChildProcessArgs` is a boolean
expectType<ChildProcessOptions>({ includeChildProcessArgs: 'all' });

expectType<Integration>(consoleIntegration());
expectType<Integration>(consoleIntegration({ filter: ['ping', /^DEBUG/] }));
expectType<ConsoleOptions>({ filter: undefined });
// @ts-expect-error `filter` is a list
consoleIntegration({ filter: 'ping' });
// @ts-expect-error 'fatal' is not a method of the console
expectType<ConsoleOptions>({ levels: ['fatal'] });
// @ts-expect-error `filter` has strings and patterns
expectType<ConsoleOptions>({ filter: [1] });
consoleIntegration({ levels: ['error'] });
// @ts-expect-error consoleIntegration is a function, not a class
new consoleIntegration();

expectType<Integration>(contextLinesIntegration({ frameContextLines: 3 }));
// @ts-expect-error `frameContextLines` is a number
contextLinesIntegration({ frameContextLines: '3' });
// @ts-expect-error options are an object
contextLinesIntegration(3);
expectType<ContextLinesOptions>({ frameContextLines: undefined });
// @ts-expect-error `frameContextLines` is a number: 0 turns it off
expectType<ContextLinesOptions>({ frameContextLines: false });
// @ts-expect-error `frameContextLines` is one number
expectType<ContextLinesOptions>({ frameContextLines: [3, 3] });

expectType<Integration>(conversationIdIntegration());
// @ts-expect-error conversationIdIntegration takes no arguments: the id belongs to the scope
conversationIdIntegration('c');
// @ts-expect-error conversationIdIntegration is a function, not a class
new conversationIdIntegration();

expectType<Integration>(dedupeIntegration());
// @ts-expect-error dedupeIntegration takes no arguments
dedupeIntegration({ window: 10 });
// @ts-expect-error dedupeIntegration is a function, not a class
new dedupeIntegration();

expectType<Integration>(extraErrorDataIntegration({ captureErrorCause: false, includeToJSON: undefined }));
extraErrorDataIntegration({ depth: 3 });
// @ts-expect-error `depth` is a number
extraErrorDataIntegration({ depth: '3' });
// @ts-expect-error `includeToJSON` is a boolean
extraErrorDataIntegration({ includeToJSON: 1 });
expectType<ExtraErrorDataOptions>({ includeToJSON: true });
// @ts-expect-error `captureErrorCause` is a boolean
expectType<ExtraErrorDataOptions>({ captureErrorCause: 'cause' });
expectType<ExtraErrorDataOptions>({ depth: 3 });
// @ts-expect-error `depth` is a number
expectType<ExtraErrorDataOptions>({ depth: '3' });

expectType<Integration>(fastifyIntegration());
fastifyIntegration({ shouldHandleError: (_error, { routeOptions }) => routeOptions?.url !== '/health' });
// @ts-expect-error `shouldHandleError` is a function, asked for each error
fastifyIntegration({ shouldHandleError: false });
// @ts-expect-error an integration is an object
fastifyIntegration().toUpperCase();
expectType<Integration>(fetchIntegration({ breadcrumbs: false }));
// @ts-expect-error `breadcrumbs` is a boolean
fetchIntegration({ breadcrumbs: 0 });
fetchIntegration({ spans: true });
// @ts-expect-error the integration has no option `ignoreRequests`
fetchIntegration({ ignoreRequests: [] });
expectType<FetchOptions>({ breadcrumbs: undefined });
// @ts-expect-error `breadcrumbs` is a boolean
expectType<FetchOptions>({ breadcrumbs: 'all' });
// @ts-expect-error `spans` is a boolean
expectType<FetchOptions>({ spans: 'all' });

expectType<Integration>(functionToStringIntegration());
// @ts-expect-error functionToStringIntegration takes no arguments
functionToStringIntegration({});
// @ts-expect-error functionToStringIntegration is a function, not a class
new functionToStringIntegration();

expectType<Integration>(httpClientIntegration({ breadcrumbs: false }));
// @ts-expect-error `breadcrumbs` is a boolean
httpClientIntegration({ breadcrumbs: null });
// @ts-expect-error there is no option `ignore`
httpClientIntegration({ ignore: ['/'] });
expectType<HttpClientOptions>({ breadcrumbs: true });
// @ts-expect-error `breadcrumbs` is a boolean
expectType<HttpClientOptions>({ breadcrumbs: [] });
// @ts-expect-error `spans` is a boolean
expectType<HttpClientOptions>({ spans: 1 });

expectType<Integration>(httpServerIntegration({ maxIncomingRequestBodySize: 'small' }));
// @ts-expect-error `maxIncomingRequestBodySize` is one of four names
httpServerIntegration({ maxIncomingRequestBodySize: 1000 });
// @ts-expect-error `trackIncomingRequestsAsSessions` is a boolean
httpServerIntegration({ trackIncomingRequestsAsSessions: 'yes' });
httpServerIntegration({ spans: true, ignoreRequests: ['/health', /\.css$/], ignoreStatusCodes: [404, [300, 399]] });
httpServerIntegration({ ignoreRequests: ({ method, url, headers }) => method === url || headers.host === 'a' });
// @ts-expect-error `ignoreStatusCodes` has numbers and ranges
httpServerIntegration({ ignoreStatusCodes: ['404'] });
// @ts-expect-error `ignoreRequests` is a list or a function
httpServerIntegration({ ignoreRequests: '/health' });
expectType<HttpServerOptions[]>([{ maxIncomingRequestBodySize: 'none' }, { maxIncomingRequestBodySize: 'always' }]);
// @ts-expect-error 'large' is not one of the sizes
expectType<HttpServerOptions>({ maxIncomingRequestBodySize: 'large' });
// @ts-expect-error `trackIncomingRequestsAsSessions` is a boolean
expectType<HttpServerOptions>({ trackIncomingRequestsAsSessions: 1 });

expectType<Integration>(linkedErrorsIntegration({ key: 'reason', limit: 10 }));
// @ts-expect-error `limit` is a number
linkedErrorsIntegration({ limit: '10' });
// @ts-expect-error a key is a string
linkedErrorsIntegration({ key: Symbol('cause') });
expectType<LinkedErrorsOptions>({ key: undefined });
// @ts-expect-error `key` is one string
expectType<LinkedErrorsOptions>({ key: ['cause'] });
// @ts-expect-error `limit` is a number
expectType<LinkedErrorsOptions>({ limit: 5n });

expectType<Integration>(localVariablesIntegration({ captureAllExceptions: false, maxExceptionsPerSecond: 10 }));
// @ts-expect-error `maxExceptionsPerSecond` is a number
localVariablesIntegration({ maxExceptionsPerSecond: '10' });
// @ts-expect-error `captureAllExceptions` is a boolean
localVariablesIntegration({ captureAllExceptions: 'yes' });
expectType<LocalVariablesOptions>({});
// @ts-expect-error there is no option `depth`
expectType<LocalVariablesOptions>({ depth: 3 });
// @ts-expect-error `maxExceptionsPerSecond` is a number
expectType<LocalVariablesOptions>({ maxExceptionsPerSecond: true });

expectType<Integration>(modulesIntegration({ folder: '/app' }));
// @ts-expect-error `folder` is a string, not a URL
modulesIntegration({ folder: new URL('file:///app') });
// @ts-expect-error options are an object
modulesIntegration('/app');
expectType<ModulesOptions>({ folder: undefined });
// @ts-expect-error `folder` is one string
expectType<ModulesOptions>({ folder: ['/app'] });
// @ts-expect-error `folder` is a string
expectType<ModulesOptions>({ folder: true });

expectType<Integration>(nodeContextIntegration({ os: false, cloudResource: false }));
// @ts-expect-error `device` is a boolean
nodeContextIntegration({ device: { cpu: false } });
// @ts-expect-error there is no option `cloud_resource`
nodeContextIntegration({ cloud_resource: false });
expectType<NodeContextOptions>({ app: true, device: true, culture: true, runtime: true });
// @ts-expect-error `os` is a boolean
expectType<NodeContextOptions>({ os: 'linux' });
// @ts-expect-error options have their own names, not those of the contexts
expectType<NodeContextOptions>({ cloud_resource: true });

expectType<Integration>(onUncaughtExceptionIntegration({ exitEvenIfOtherHandlersAreRegistered: true }));
onUncaughtExceptionIntegration({ onFatalError: (error) => void error });
// @ts-expect-error `onFatalError` is a function
onUncaughtExceptionIntegration({ onFatalError: 'exit' });
// @ts-expect-error `onFatalError` gets an unknown: anything can be thrown
onUncaughtExceptionIntegration({ onFatalError: (error: Error) => void error });
expectType<UncaughtExceptionOptions>({ onFatalError: undefined });
// @ts-expect-error `exitEvenIfOtherHandlersAreRegistered` is a boolean
expectType<UncaughtExceptionOptions>({ exitEvenIfOtherHandlersAreRegistered: 1 });
// @ts-expect-error `onFatalError` is a function
expectType<UncaughtExceptionOptions>({ onFatalError: 1 });

expectType<Integration>(onUnhandledRejectionIntegration({ mode: 'strict', ignore: ['TimeoutError', /^Abort/] }));
// @ts-expect-error 'exit' is not one of the modes
onUnhandledRejectionIntegration({ mode: 'exit' });
// @ts-expect-error `ignore` is a list
onUnhandledRejectionIntegration({ ignore: 'TimeoutError' });
expectType<UnhandledRejectionOptions[]>([{ mode: 'none' }, { mode: 'warn' }]);
// @ts-expect-error `ignore` has names, not classes
expectType<UnhandledRejectionOptions>({ ignore: [RangeError] });
// @ts-expect-error false is not one of the modes
expectType<UnhandledRejectionOptions>({ mode: false });

expectType<Integration>(processExitIntegration());
// @ts-expect-error processExitIntegration takes no arguments
processExitIntegration(2000);
// @ts-expect-error processExitIntegration is a function, not a class
new processExitIntegration();

expectType<Integration>(processSessionIntegration());
// @ts-expect-error processSessionIntegration takes no arguments
processSessionIntegration({ release: 'shop@1' });
// @ts-expect-error processSessionIntegration is a function, not a class
new processSessionIntegration();

expectType<Integration>(processSignalsIntegration());
// @ts-expect-error processSignalsIntegration takes no arguments
processSignalsIntegration(['SIGTERM']);
// @ts-expect-error processSignalsIntegration is a function, not a class
new processSignalsIntegration();

expectType<Integration>(requestDataIntegration({ include: { cookies: true, ip: undefined } }));
// @ts-expect-error `body` is not one of the parts
requestDataIntegration({ include: { body: true } });
// @ts-expect-error `include` is an object
requestDataIntegration({ include: ['cookies'] });
expectType<RequestDataOptions>({ include: { data: false, headers: true, query_string: true, url: true } });
// @ts-expect-error `headers` is a boolean
expectType<RequestDataOptions>({ include: { headers: ['accept'] } });
// @ts-expect-error `include` is an object
expectType<RequestDataOptions>({ include: 'cookies' });

expectType<Integration>(rewriteFramesIntegration({ root: '/app', prefix: 'app:///' }));
rewriteFramesIntegration({ iteratee: (frame) => ({ ...frame, filename: 'a.js' }) });
// @ts-expect-error `iteratee` returns a frame
rewriteFramesIntegration({ iteratee: () => undefined });
// @ts-expect-error `root` is a string
rewriteFramesIntegration({ root: new URL('file:///app') });
expectType<RewriteFramesOptions>({ root: undefined });
// @ts-expect-error `prefix` is a string
expectType<RewriteFramesOptions>({ prefix: false });
// @ts-expect-error `root` is a string
expectType<RewriteFramesOptions>({ root: /app/ });

expectType<Integration>(systemErrorIntegration({ includePaths: true }));
// @ts-expect-error `includePaths` is a boolean
systemErrorIntegration({ includePaths: ['/tmp'] });
// @ts-expect-error options are an object
systemErrorIntegration(true);
expectType<SystemErrorOptions>({ includePaths: undefined });
// @ts-expect-error `includePaths` is a boolean
expectType<SystemErrorOptions>({ includePaths: 1 });
// @ts-expect-error there is no option `paths`
expectType<SystemErrorOptions>({ paths: true });

expectType<Integration>(zodErrorsIntegration({ limit: 5, saveZodIssuesAsAttachment: true }));
// @ts-expect-error `limit` is a number
zodErrorsIntegration({ limit: '5' });
// @ts-expect-error `saveZodIssuesAsAttachment` is a boolean
zodErrorsIntegration({ saveZodIssuesAsAttachment: 'issues.json' });
expectType<ZodErrorsOptions>({ limit: undefined });
// @ts-expect-error there is no option `maxIssues`
expectType<ZodErrorsOptions>({ maxIssues: 5 });
// @ts-expect-error `limit` is a number
expectType<ZodErrorsOptions>({ limit: true });
