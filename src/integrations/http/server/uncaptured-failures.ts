import { notify } from '../../../context/notify.js';
import { processWide } from '../../../context/process-wide.js';
import type { RoutedRequest } from '../../../context/request/request-route.js';
import { onBeforeExit } from '../../../internal/node/before-exit.js';
import { unref } from '../../../internal/unref.js';
import type { Client } from '../../../model/contracts.js';

const MAX_NOTED = 10;
const WITHOUT_HANDLER =
  '. If a framework or your code has caught one, it is lost: docs/frameworks.md of the package has the line that captures them, such as setupExpressErrorHandler(app) or FaultlineModule.forRoot().';
const BEHIND_OTHERS =
  ', although a function for errors was called. If an error handler of yours gets the error first, or your code catches it, it is lost: call the function in front of your error handlers, and captureException where you catch.';
/** An error may be captured after the answer, for example by a logger that writes in batches. */
const SETTLING_MILLIS = 5000;

/**
 * Notes a request that was answered with 5xx, for the health report, unless an error of it was captured. The first one is
 * written to stderr if no error of any request was captured, or declined by the function of a framework: that function was
 * not called, or stands where no error arrives. An error that is captured meanwhile, in whatever scope, may be that of the
 * request: then the next failure decides.
 */
export function noteFailure(client: Client, request: RoutedRequest, statusCode: number): void {
  if (request.isErrorKnown) return;
  const { observed } = processWide();
  const { uncapturedFailures } = observed;
  const { transactionName } = request;
  if (uncapturedFailures.size < MAX_NOTED || uncapturedFailures.has(transactionName))
    uncapturedFailures.set(transactionName, statusCode);
  // Proxies answer with other statuses on purpose.
  if (statusCode !== 500 || observed.isFailureWatched || !client.getTransport()) return;
  observed.isFailureWatched = true;
  const { errors } = observed;
  const settle = () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
    const { errorHandler } = processWide();
    if (observed.hasRequestErrors || errorHandler === 'misused') return;
    if (observed.errors > errors) {
      observed.isFailureWatched = false;
      return;
    }
    const failure = `${transactionName} was answered with 500, and no error was captured`;
    const cause = errorHandler === 'set up' ? BEHIND_OTHERS : WITHOUT_HANDLER;
    const line = `${failure}${cause} If the answer is intended, nothing is missing: ignoreRequests of httpServerIntegration leaves its path out, also its transactions, and quiet: true turns off all lines such as this`;
    notify('failure-without-error', line, client.settings);
  };
  const timer = unref(setTimeout(settle, SETTLING_MILLIS));
  const stops = [onBeforeExit(settle), client.on('close', settle)];
}
