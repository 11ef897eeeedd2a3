import { notify } from '../../../context/notify.js';
import { processWide } from '../../../context/process-wide.js';
import type { RunningRequest } from '../../../context/request/running-request.js';
import { onBeforeExit } from '../../../internal/node/before-exit.js';
import { unref } from '../../../internal/unref.js';
import type { Client } from '../../../model/contracts.js';

const MAX_NOTED = 10;
/** An error may be captured after the answer, for example by a logger that writes in batches. */
const SETTLING_MILLIS = 5000;

/**
 * Notes a request that was answered with 5xx, for the health report, unless an error of the request was captured. The first one
 * is written to stderr if no function of a framework was called, and no error of any request was captured. If any error is
 * captured meanwhile, it may belong to the request; the check is then left to the next failure.
 */
export function noteFailure(client: Client, request: RunningRequest, statusCode: number): void {
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
    if (observed.hasRequestErrors || processWide().hasErrorHandler) return;
    if (observed.errors > errors) {
      observed.isFailureWatched = false;
      return;
    }
    const line = `${transactionName} was answered with 500, and no error was captured. If a framework or your code caught an error, capture it there: docs/frameworks.md of the package has the line for each framework, such as setupExpressErrorHandler(app) or FaultlineModule.forRoot(); Fastify needs none, but init before fastify(). If the answer is intended, list its path in ignoreRequests of httpServerIntegration, which also leaves out its transactions, or set quiet: true to turn off such lines`;
    notify('failure-without-error', line, client.settings);
  };
  const timer = unref(setTimeout(settle, SETTLING_MILLIS));
  const stops = [onBeforeExit(settle), client.on('close', settle)];
}
