import 'faultline/register';
import { type Client, init, Scope } from 'faultline';
import { setupExpressErrorHandler } from 'faultline/express';
import { wrapJob } from 'faultline/jobs';

const client: Client = init({ dsn: undefined, tracesSampleRate: 1 });
export const scope: Scope = new Scope();
scope.setTag('loaded', client.getOptions().enabled);
setupExpressErrorHandler({ use: () => undefined });
export const job: (id: number) => string = wrapJob('job', (id: number) => String(id));
// @ts-expect-error: the types are not any.
init({ tracesSampleRate: 'all' });
