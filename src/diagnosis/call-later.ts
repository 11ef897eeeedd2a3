import { onBeforeExit } from '../internal/node/before-exit.js';
import { unref } from '../internal/unref.js';
import type { Client } from '../model/contracts.js';

/** Calls back after that time, or when the event loop runs empty before that; not once the client is closed. */
export function callLater(client: Client, millis: number, run: (isAtEnd: boolean) => void): void {
  const stop = () => {
    clearTimeout(timer);
    stopAtEnd();
    forget();
  };
  const end = (isAtEnd: boolean) => {
    stop();
    run(isAtEnd);
  };
  const timer = unref(setTimeout(end, millis, false));
  const stopAtEnd = onBeforeExit(() => end(true));
  const forget = client.on('close', stop);
}
