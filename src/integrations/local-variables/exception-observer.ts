import type { Debugger, Runtime } from 'node:inspector';

/** How the observing thread is started. */
export interface ObserverSettings {
  /** Where in the main thread's `globalThis` the recorder is found, as a key of `Symbol.for`. */
  readonly recorderKey: string;
  readonly state: 'all' | 'uncaught';
  /** Whether the code of dependencies is recorded, too. */
  readonly includeOutOfAppFrames: boolean;
}

/** A call at the moment of the exception. */
export interface PausedFrame {
  /** Empty for an anonymous function. */
  readonly name: string;
  readonly url: string;
  /** From 1. */
  readonly line: number;
  /** How many of the scopes that are handed over belong to it, the innermost first. */
  readonly scopeCount: number;
}

/**
 * What the main thread puts at its `recorderKey`.
 *
 * @returns for how many milliseconds to look away from now on, 0 for not at all, `null` for good
 */
export type Recorder = (error: unknown, frames: readonly PausedFrame[], ...scopes: object[]) => number | null;

/**
 * The thread that observes the main thread for `local-variables.ts`, as text: a thread cannot look into itself while it
 * is paused, and where the SDK is bundled there is no file that a thread of its own could be started from.
 */
export function observerSource(): string {
  return `(${observeMainThread})();`;
}

/**
 * The main thread pauses at each exception, is handed the scopes it stands in, and goes on.
 *
 * Runs as text in another thread, so that it uses nothing from outside of it. Nor has it classes, or functions with a name
 * within: bundlers that keep names wrap those in a helper, which stays behind.
 */
function observeMainThread(): void {
  const { once } = process.getBuiltinModule('node:events');
  const { Session } = process.getBuiltinModule('node:inspector/promises');
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');

  const MAX_FRAMES = 10;
  const MAX_SCOPES_PER_FRAME = 5;
  const MAX_SCRIPTS = 10_000;
  /** Of the source of scripts that are gone, which would be kept without a limit. */
  const MAX_SCRIPTS_CACHE_BYTES = 1_000_000;
  /** Scopes of a function; those around it belong to other code. */
  const SCOPES = new Set<string>(['local', 'block', 'catch']);
  /** How long this thread outlives its session. */
  const LINGER_MILLIS = 1000;

  const { recorderKey, state, includeOutOfAppFrames } = workerData as ObserverSettings;
  const IGNORED_CODE = includeOutOfAppFrames ? /^node:/ : /^node:|[\\/]node_modules[\\/]/;
  const session = new Session();
  /** The files of the application, by the id of their script. */
  const files = new Map<string, string>();
  let recorderId: string | undefined;
  let started: Promise<void> | undefined;
  /** Settles when the main thread goes on. */
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

    /** In this order, because Node aborts the process when the main thread has news for a session whose thread is gone. */
    async end(): Promise<void> {
      await started?.catch(() => undefined);
      await observer.observe('none').catch(() => undefined);
      await resumed;
      await session.post('Debugger.disable').catch(() => undefined);
      session.disconnect();
      setTimeout(() => parentPort?.close(), LINGER_MILLIS);
    },

    /** Whatever fails here ends the observation, and nothing else. */
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

    /** The main thread stands still until this is done. */
    async onPause({ data, callFrames }: Debugger.PausedEventDataType): Promise<void> {
      const thrown = data as Runtime.RemoteObject | undefined;
      try {
        if (thrown?.subtype !== 'error' || isEnding) return;
        const rest = await observer.record(thrown, callFrames);
        if (typeof rest !== 'number') observer.stop();
        else if (rest > 0) await observer.rest(rest);
      } finally {
        // Fails where another debugger was faster.
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

    /** @returns what the recorder did */
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
      const { result } = await session.post('Runtime.callFunctionOn', {
        objectId: recorderId,
        functionDeclaration: 'function (...args) { return this(...args); }',
        // The values themselves stay in their thread, so that a long text is not copied to be cut.
        arguments: [{ objectId: errorId }, { value: frames }, ...scopeIds.map((objectId) => ({ objectId }))],
        silent: true,
        returnByValue: true,
      });
      return result.value;
    },
  };

  // Keeps this thread alive; it does not keep the process.
  parentPort?.on('message', () => observer.stop());
  observer.start();
}
