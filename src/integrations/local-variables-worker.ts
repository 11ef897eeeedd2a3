import { once } from 'node:events';
import type { Debugger, Runtime } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PauseBudget } from './pause-budget.js';

/**
 * The thread that observes the main thread for `local-variables.ts`: a thread cannot look into itself while it is
 * paused. The main thread pauses at each exception, is handed the scopes it stands in, and goes on.
 */

/** How the main thread starts this one. */
export interface WorkerSettings {
  /** Where in the main thread's `globalThis` the recorder is found, as a key of `Symbol.for`. */
  readonly recorderKey: string;
  readonly state: 'all' | 'uncaught';
  readonly maxExceptionsPerSecond: number;
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

/** What the main thread puts at its `recorderKey`. @returns whether to go on */
export type Recorder = (error: unknown, frames: readonly PausedFrame[], ...scopes: object[]) => boolean;

const MAX_FRAMES = 10;
const MAX_SCOPES_PER_FRAME = 5;
const MAX_SCRIPTS = 10_000;
/** Of the source of scripts that are gone, which would be kept without a limit. */
const MAX_SCRIPTS_CACHE_BYTES = 1_000_000;
/** Scopes of a function; those around it belong to other code. */
const SCOPES = new Set<string>(['local', 'block', 'catch']);
const OTHERS_CODE = /^node:|[\\/]node_modules[\\/]/;

/** How long this thread outlives its session. */
const LINGER_MILLIS = 1000;

class ExceptionObserver {
  readonly #session = new Session();
  readonly #settings: WorkerSettings;
  readonly #budget: PauseBudget;
  /** The files of the application, by the id of their script. */
  readonly #files = new Map<string, string>();
  #recorderId: string | undefined;
  #started: Promise<void> | undefined;
  /** Settles when the main thread goes on. */
  #resumed: Promise<unknown> | undefined;
  #isEnding = false;

  constructor(settings: WorkerSettings) {
    this.#settings = settings;
    this.#budget = new PauseBudget(settings.maxExceptionsPerSecond);
  }

  start(): void {
    this.#started = this.#start();
    this.#attempt(this.#started);
  }

  stop(): void {
    if (!this.#isEnding) void this.#end();
    this.#isEnding = true;
  }

  async #start(): Promise<void> {
    const session = this.#session;
    session.connectToMainThread();
    session.on('Debugger.scriptParsed', ({ params }) => this.#rememberFile(params));
    session.on('Debugger.paused', ({ params }) => {
      this.#resumed = once(session, 'Debugger.resumed');
      this.#attempt(this.#onPause(params));
    });
    const expression = `globalThis[Symbol.for(${JSON.stringify(this.#settings.recorderKey)})]`;
    const { result } = await session.post('Runtime.evaluate', { expression });
    this.#recorderId = result.objectId;
    await session.post('Debugger.enable', { maxScriptsCacheSize: MAX_SCRIPTS_CACHE_BYTES });
    await this.#observe(this.#settings.state);
  }

  /** In this order, because Node aborts the process when the main thread has news for a session whose thread is gone. */
  async #end(): Promise<void> {
    const ignore = () => undefined;
    await this.#started?.catch(ignore);
    await this.#observe('none').catch(ignore);
    await this.#resumed;
    await this.#session.post('Debugger.disable').catch(ignore);
    this.#session.disconnect();
    setTimeout(() => parentPort?.close(), LINGER_MILLIS);
  }

  /** Whatever fails here ends the observation, and nothing else. */
  #attempt(pending: Promise<void>): void {
    pending.catch((error) => {
      if (!this.#isEnding) parentPort?.postMessage(`stopped, because the inspector failed: ${error}`);
      this.stop();
    });
  }

  #rememberFile({ scriptId, url }: Debugger.ScriptParsedEventDataType): void {
    if (url && !OTHERS_CODE.test(url) && this.#files.size < MAX_SCRIPTS) this.#files.set(scriptId, url);
  }

  async #observe(state: 'all' | 'uncaught' | 'none'): Promise<void> {
    await this.#session.post('Debugger.setPauseOnExceptions', { state });
  }

  /** The main thread stands still until this is done. */
  async #onPause({ data, callFrames }: Debugger.PausedEventDataType): Promise<void> {
    const thrown = data as Runtime.RemoteObject | undefined;
    try {
      if (thrown?.subtype !== 'error' || this.#isEnding) return;
      const rest = this.#budget.spend();
      if (rest > 0) await this.#rest(rest);
      else if (!(await this.#record(thrown, callFrames))) this.stop();
    } finally {
      // Fails where another debugger was faster.
      await this.#session.post('Debugger.resume').catch(() => undefined);
    }
  }

  async #rest(millis: number): Promise<void> {
    await this.#observe('none');
    setTimeout(() => this.#wake(), millis);
    parentPort?.postMessage(
      `more than ${this.#settings.maxExceptionsPerSecond} exceptions a second: rests ${millis} ms`,
    );
  }

  #wake(): void {
    if (!this.#isEnding) this.#attempt(this.#observe(this.#settings.state));
  }

  async #record({ objectId: errorId }: Runtime.RemoteObject, callFrames: Debugger.CallFrame[]): Promise<boolean> {
    const scopeIds: string[] = [];
    const frames: PausedFrame[] = [];
    for (const { functionName, location, scopeChain } of callFrames) {
      const url = this.#files.get(location.scriptId);
      if (url === undefined) continue;
      const scopes = scopeChain.filter(({ type }) => SCOPES.has(type)).slice(0, MAX_SCOPES_PER_FRAME);
      scopeIds.push(...scopes.map(({ object }) => object.objectId!));
      frames.push({ name: functionName, url, line: location.lineNumber + 1, scopeCount: scopes.length });
      if (frames.length === MAX_FRAMES) break;
    }
    const { result } = await this.#session.post('Runtime.callFunctionOn', {
      objectId: this.#recorderId,
      functionDeclaration: 'function (...args) { return this(...args); }',
      // The values themselves stay in their thread, so that a long text is not copied to be cut.
      arguments: [{ objectId: errorId }, { value: frames }, ...scopeIds.map((objectId) => ({ objectId }))],
      silent: true,
      returnByValue: true,
    });
    return result.value === true;
  }
}

const observer = new ExceptionObserver(workerData as WorkerSettings);
// Keeps this thread alive; it does not keep the process.
parentPort?.on('message', () => observer.stop());
observer.start();
