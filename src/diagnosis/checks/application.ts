import { type Check, hasSampler, NOTHING_REGISTERED } from './check.js';

/** What user code that fails must do. */
const WORKING: Record<string, string> = {
  tracesSampler: 'init({ ...options, tracesSampler: () => 0.2 });',
  ignoreRequests: "httpServerIntegration({ ignoreRequests: ({ url }) => url === '/health' });",
  shouldHandleError: 'setupExpressErrorHandler(app, { shouldHandleError: () => true });',
};

/** What is wrong with the application: user code that fails, modules that cannot be patched, failures that nobody captures. */
export const APPLICATION_PROBLEMS: readonly Check[] = [
  {
    code: 'hook-fails',
    feature: 'delivery',
    applies: ({ observed }) => observed.failedHooks.size > 0,
    message: ({ observed }) =>
      `Data is discarded or not filtered, because user code fails: ${[...observed.failedHooks.values()].join('; ')}.`,
    remedy: ({ observed }) => {
      const [name = ''] = observed.failedHooks.keys();
      if (name.startsWith('before')) return `init({ ...options, ${name}: (data) => data });`;
      return WORKING[name] ?? 'addEventProcessor((event) => event);';
    },
  },
  {
    code: 'no-loader-hook',
    feature: 'instrumentation',
    applies: ({ isTracing, unpatched }) => isTracing && unpatched.withoutHook.length > 0,
    message: ({ unpatched }) =>
      `ES modules are imported without OpenTelemetry's loader hook, so that its instrumentations cannot patch ${unpatched.withoutHook.join(', ')}. Register the hook in a file that node --import loads.`,
    remedy:
      "import { register } from 'node:module'; register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);",
  },
  {
    code: 'instrumented-too-late',
    feature: 'instrumentation',
    applies: ({ isTracing, unpatched }) => isTracing && unpatched.tooEarly.length > 0,
    message: ({ unpatched }) =>
      `Loaded before the OpenTelemetry instrumentation that is to patch it: ${unpatched.tooEarly.join(', ')}. Set OpenTelemetry up in a separate file that is loaded first.`,
    remedy: 'node --require ./instrumentation.cjs main.js',
  },
  {
    code: 'no-server-spans',
    feature: 'transactions',
    followsFrom: [
      ...NOTHING_REGISTERED,
      'no-span-processor',
      'loaded-twice',
      'existing-sampler-off',
      'setup-not-skipped',
    ],
    applies: ({ isTracing, observed, provider }) =>
      isTracing && observed.serverRequests > 0 && !observed.hasRoots && hasSampler(provider),
    message: ({ observed }) =>
      `HTTP requests were received (${observed.serverRequests}), but no spans were made: no OpenTelemetry HTTP instrumentation is active, and Faultline's is off.`,
    remedy: 'init({ ...options, integrations: [httpServerIntegration({ spans: true })] });',
  },
  {
    code: 'failures-without-errors',
    feature: 'errors',
    applies: ({ observed }) => observed.uncapturedFailures.size > 0,
    message: ({ observed }) =>
      `Requests were answered with a status of 5xx, and no error was captured: ${listFailures(observed.uncapturedFailures)}. If an error was the reason, the framework's error handler was not added, or comes after one of your own, or init comes after fastify(); see docs/frameworks.md. If such an answer is intended, add its status to ignoreStatusCodes of httpServerIntegration.`,
    remedy: 'setupExpressErrorHandler(app); // after all routes, before your own error handlers',
  },
];

function listFailures(failures: ReadonlyMap<string, number>): string {
  return [...failures].map(([name, status]) => `${name} (${status})`).join(', ');
}
