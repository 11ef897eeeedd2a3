import { AsyncResource } from 'node:async_hooks';

/** The async context in which the SDK was loaded: in it, the application's `AsyncLocalStorage` has nothing of a request. */
export const outsideOfRequests = new AsyncResource('Faultline', { requireManualDestroy: true });
// It lives as long as the process. Tools that look for what keeps tests open, such as that of Jest, would list it.
outsideOfRequests.emitDestroy();
