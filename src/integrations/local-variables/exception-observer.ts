import type { Debugger, Runtime } from 'node:inspector';

/** Start parameters of the observing thread. */
export interface ObserverSettings {
  /** Key (for `Symbol.for`) of the recorder in the main thread's `globalThis`. */
  readonly recorderKey: string;
  readonly state: 'all' | 'uncaught';
  /** Whether to record code of dependencies, too. */
  readonly includeOutOfAppFrames: boolean;
}

/** A call on the stack when the exception was thrown. */
export interface PausedFrame {
  /** Empty for an anonymous function. */
  readonly name: string;
  readonly url: string;
  /** From 1. */
  readonly line: number;
  /** How many of the recorded scopes belong to this call, innermost first. */
  readonly scopeCount: number;
}

/**
 * The function that the main thread stores at `recorderKey`.
 *
 * @returns milliseconds to pause the observation, 0 to continue at once, `null` to stop for good
 */
export type Recorder = (error: unknown, frames: readonly PausedFrame[], ...scopes: object[]) => number | null;

/**
 * Source code of the thread that observes the main thread for `local-variables.ts`: a paused thread cannot inspect
 * itself, and in a bundle there is no file to start a thread from.
 */
export function observerSource(): string {
  return `(${observeMainThread})();`;
}

/**
 * The main thread pauses at each exception, the recorder gets the scopes of the paused calls, and the main thread
 * resumes.
 *
 * Runs from its source code in another thread, so it must not use anything outside itself. It contains no classes and
 * no named functions: bundlers that keep names wrap those in a helper, which the thread would lack.
 */
function observeMainThread(): void {
  const { once } = process.getBuiltinModule('node:events');
  const { Session } = process.getBuiltinModule('node:inspector/promises');
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');

  const MAX_FRAMES = 10;
  const MAX_SCOPES_PER_FRAME = 5;
  const MAX_SCRIPTS = 10_000;
  /** Limits the sources kept of discarded scripts. */
  const MAX_SCRIPTS_CACHE_BYTES = 1_000_000;
  /** Types of scopes inside a function; outer scopes belong to other code. */
  const SCOPES = new Set<string>(['local', 'block', 'catch']);
  /** How long this thread outlives its session. */
  const LINGER_MILLIS = 1000;

  const { recorderKey, state, includeOutOfAppFrames } = workerData as ObserverSettings;
  const IGNORED_CODE = includeOutOfAppFrames ? /^node:/ : /^node:|[\\/]node_modules[\\/]/;
  const session = new Session();
  /** Files of the application by script id. */
  const files = new Map<string, string>();
  let recorderId: string | undefined;
  let started: Promise<void> | undefined;
  /** Settles when the main thread resumes. */
  let resumed: Promise<unknown> | undefined;
  let isEnding = false;

  const observer = {
    start(): void {
      started = observer.connect();
      observer.attempt(started);
    },

    stop(): void {
      if (!isEnding) observer.end().catch(() => undefined);
      isEnding = true;
    },

    async connect(): Promise<void> {
      session.connectToMainThread();
      session.on('Debugger.scriptParsed', ({ params }) => observer.rememberFile(params));
      session.on('Debugger.paused', ({ params }) => {
        resumed = once(session, 'Debugger.resumed');
        observer.attempt(observer.onPause(params));
      });
      const expression = `globalThis[Symbol.for(${JSON.stringify(recorderKey)})]`;
      const { result } = await session.post('Runtime.evaluate', { expression });
      recorderId = result.objectId;
      await session.post('Debugger.enable', { maxScriptsCacheSize: MAX_SCRIPTS_CACHE_BYTES });
      await observer.observe(state);
    },

    /**
     * In this order, because Node aborts the process when the main thread notifies a session whose thread has exited.
     */
    async end(): Promise<void> {
      await started?.catch(() => undefined);
      await observer.observe('none').catch(() => undefined);
      await resumed;
      await session.post('Debugger.disable').catch(() => undefined);
      session.disconnect();
      setTimeout(() => parentPort?.close(), LINGER_MILLIS);
    },

    /** A failure here only ends the observation. */
    attempt(pending: Promise<void>): void {
      pending.catch((error) => {
        if (!isEnding) parentPort?.postMessage(`stopped, because the inspector failed: ${error}`);
        observer.stop();
      });
    },

    rememberFile({ scriptId, url }: Debugger.ScriptParsedEventDataType): void {
      if (url && !IGNORED_CODE.test(url) && files.size < MAX_SCRIPTS) files.set(scriptId, url);
    },

    async observe(exceptions: 'all' | 'uncaught' | 'none'): Promise<void> {
      await session.post('Debugger.setPauseOnExceptions', { state: exceptions });
    },

    /** The main thread is paused until this returns. */
    async onPause({ data, callFrames }: Debugger.PausedEventDataType): Promise<void> {
      const thrown = data as Runtime.RemoteObject | undefined;
      try {
        if (thrown?.subtype !== 'error' || isEnding) return;
        const rest = await observer.record(thrown, callFrames);
        if (typeof rest !== 'number') observer.stop();
        else if (rest > 0) await observer.rest(rest);
      } finally {
        // Fails if another debugger resumed first.
        await session.post('Debugger.resume').catch(() => undefined);
      }
    },

    async rest(millis: number): Promise<void> {
      await observer.observe('none');
      setTimeout(() => observer.wake(), millis);
    },

    wake(): void {
      if (!isEnding) observer.attempt(observer.observe(state));
    },

    /** @returns the recorder's result */
    async record({ objectId: errorId }: Runtime.RemoteObject, callFrames: Debugger.CallFrame[]): Promise<unknown> {
      const scopeIds: string[] = [];
      const frames: PausedFrame[] = [];
      for (const { functionName, location, scopeChain } of callFrames) {
        const url = files.get(location.scriptId);
        if (url === undefined) continue;
        const scopes = scopeChain.filter(({ type }) => SCOPES.has(type)).slice(0, MAX_SCOPES_PER_FRAME);
        scopeIds.push(...scopes.map(({ object }) => object.objectId!));
        frames.push({ name: functionName, url, line: location.lineNumber + 1, scopeCount: scopes.length });
        if (frames.length === MAX_FRAMES) break;
      }
      const { result, exceptionDetails } = await session.post('Runtime.callFunctionOn', {
        objectId: recorderId,
        functionDeclaration: 'function (...args) { return this(...args); }',
        // The values stay in their thread, so that a long string is not copied before it is cut.
        arguments: [{ objectId: errorId }, { value: frames }, ...scopeIds.map((objectId) => ({ objectId }))],
        silent: true,
        returnByValue: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result.value;
    },
  };

  // Keeps this thread alive, but not the process.
  parentPort?.on('message', () => observer.stop());
  observer.start();
}
