import { errorMonitor } from 'node:events';
import { isMainThread, Worker } from 'node:worker_threads';
import { pathOf } from '../../errors/stack-line.js';
import { createLogger } from '../../internal/diag.js';
import { guardOwn } from '../../internal/guard.js';
import { uuid4 } from '../../internal/ids.js';
import { readOptions } from '../../internal/options/read-options.js';
import { isError } from '../../internal/values/is-error.js';
import { readProperty } from '../../internal/values/read.js';
import type { Integration } from '../../model/contracts.js';
import { type Exception, mapFrames, type StackFrame } from '../../model/event/exception.js';
import { namesOf, type SensitiveNames } from '../../scrubbing/sensitive-names.js';
import { type ObserverSettings, observerSource, type PausedFrame, type Recorder } from './exception-observer.js';
import { PauseBudget } from './pause-budget.js';
import { type PrintedVariables, printVariables } from './variable-text.js';

/** Options of {@link localVariablesIntegration}. */
export interface LocalVariablesOptions {
  /** Also records exceptions that the application catches, whether or not it captures them. @default true */
  captureAllExceptions?: boolean | undefined;
  /** Exceptions per second. Beyond it, recording pauses for 5 seconds, then 10, and so on. @default 50 */
  maxExceptionsPerSecond?: number | undefined;
  /** Also records functions of dependencies. @default false */
  includeOutOfAppFrames?: boolean | undefined;
}

/** A call in the application's code when the exception was thrown. */
interface RecordedFrame {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly vars: PrintedVariables;
}

const log = createLogger('local-variables');

/**
 * Adds the local variables of the application's functions to an error's frames, as they were when it was thrown.
 *
 * Node's inspector pauses the main thread at each exception, for a millisecond or less, while another thread reads the
 * variables. Disabled while a debugger may be attached, because each would pause and resume for the other.
 */
export function localVariablesIntegration(options?: LocalVariablesOptions): Integration {
  const { captureAllExceptions, maxExceptionsPerSecond, includeOutOfAppFrames } = readOptions(
    'localVariablesIntegration',
    options,
    { captureAllExceptions: true, maxExceptionsPerSecond: 50, includeOutOfAppFrames: false },
  );
  const recorded = new WeakMap<object, readonly RecordedFrame[]>();
  return {
    name: 'LocalVariables',
    setup({ settings }) {
      const state = captureAllExceptions ? 'all' : 'uncaught';
      const names = namesOf(settings);
      return observeThrown({ state, includeOutOfAppFrames }, maxExceptionsPerSecond, (error, frames, scopes) => {
        if (isError(error) && !recorded.has(error)) recorded.set(error, toRecorded(frames, scopes, names));
      });
    },
    enrichEvent(event, { originalException }) {
      const values = event.exception?.values;
      if (!values || !isError(originalException)) return;
      event.exception = {
        ...event.exception,
        values: withVariables(values, originalException, recorded, includeOutOfAppFrames),
      };
    },
  };
}

type RecordError = (error: unknown, frames: readonly PausedFrame[], scopes: readonly object[]) => void;

/** @returns stops the observation; `undefined` if it could not start */
function observeThrown(
  settings: Omit<ObserverSettings, 'recorderKey'>,
  maxPerSecond: number,
  record: RecordError,
): (() => void) | undefined {
  const inspector = process.getBuiltinModule('node:inspector');
  if (!isMainThread || !inspector) return undefined;
  // Node's permission model forbids the inspector, and aborts the process that connects to it.
  if (readProperty(process, 'permission')) {
    log.warn('local variables are not captured: the permission model does not allow the inspector');
    return undefined;
  }
  if (inspector.url() !== undefined) {
    log.warn('local variables are not captured: a debugger may be attached');
    return undefined;
  }
  const budget = new PauseBudget(maxPerSecond);
  let isStopped = false;
  const recorder: Recorder = (error, frames, ...scopes) => {
    // The debugger port may have been opened since.
    if (isStopped || inspector.url() !== undefined) return null;
    const rest = budget.spend();
    if (rest > 0)
      log.warn(`more than ${maxPerSecond} exceptions in a second: no local variables are captured for ${rest} ms`);
    else guardOwn('recording local variables', () => record(error, frames, scopes));
    return rest;
  };
  const recorderKey = `faultline.${uuid4()}`;
  const workerData: ObserverSettings = { recorderKey, ...settings };
  // Without this thread's options, which may load the SDK.
  const worker = new Worker(observerSource(), { eval: true, workerData, execArgv: [], env: {} });
  // Not a thread of the application: its events must not reach the application's listeners.
  worker.removeAllListeners(errorMonitor);
  worker.on('message', (message) => log.warn(String(message)));
  worker.on('error', (error) => log.error('the observing thread failed', error));
  worker.unref();
  const withdraw = offer(Symbol.for(recorderKey), recorder);
  return () => {
    isStopped = true;
    withdraw();
    // The thread ends by itself: it must not exit before the inspector has released it.
    worker.postMessage('stop');
  };
}

/** Stores a value that the first reader takes. @returns removes it */
function offer(key: symbol, value: unknown): () => void {
  const withdraw = () => {
    Reflect.deleteProperty(globalThis, key);
  };
  const get = () => {
    withdraw();
    return value;
  };
  Object.defineProperty(globalThis, key, { get, configurable: true });
  return withdraw;
}

function toRecorded(
  frames: readonly PausedFrame[],
  scopes: readonly object[],
  names: SensitiveNames,
): readonly RecordedFrame[] {
  let next = 0;
  return frames.map(({ name, url, line, scopeCount }) => {
    const own = scopes.slice(next, next + scopeCount);
    next += scopeCount;
    return { name: baseNameOf(name), path: pathOf(url), line, vars: printVariables(own, names) };
  });
}

/** From the caught exception, which is the last, along its causes as far as the event contains them. */
function withVariables(
  values: readonly Exception[],
  caught: unknown,
  recorded: WeakMap<object, readonly RecordedFrame[]>,
  includeOutOfAppFrames: boolean,
): Exception[] {
  const result = [...values];
  let error: unknown = caught;
  for (let i = result.length - 1; i >= 0 && isError(error); i--) {
    const exception = result[i]!;
    if (i < result.length - 1 && exception.mechanism?.source !== 'cause') break;
    const frames = recorded.get(error);
    if (frames) result[i] = mapFrames(exception, (present) => matchFrames(present, frames, includeOutOfAppFrames));
    error = readProperty(error, 'cause');
  }
  return result;
}

/** The lists have the same order but not the same entries: each frame takes the next recorded call that matches. */
function matchFrames(
  frames: readonly StackFrame[],
  recorded: readonly RecordedFrame[],
  includeOutOfAppFrames: boolean,
): StackFrame[] {
  const result = [...frames];
  let next = 0;
  for (let i = result.length - 1; i >= 0 && next < recorded.length; i--) {
    const frame = result[i]!;
    if (!frame.in_app && !includeOutOfAppFrames) continue;
    const found = recorded.findIndex((one, index) => index >= next && isSameCall(frame, one));
    if (found < 0) continue;
    result[i] = { ...frame, vars: { ...recorded[found]!.vars, ...frame.vars } };
    next = found + 1;
  }
  return result;
}

/**
 * Positions differ if an error is not thrown where it was created, or is source-mapped; then the names are compared.
 */
function isSameCall(frame: StackFrame, { name, path, line }: RecordedFrame): boolean {
  const frameName = baseNameOf(frame.function ?? '');
  return frameName === '' ? name === '' && frame.lineno === line && frame.filename === path : frameName === name;
}

/** Normalizes `Type.method [as other]` and `new Type` to the debugger's names; empty for an anonymous function. */
function baseNameOf(name: string): string {
  const base = name.replace(/ \[as [^\]]*\]$/, '').replace(/^new /, '');
  const last = base.slice(base.lastIndexOf('.') + 1);
  return last === '?' || last === '<anonymous>' ? '' : last;
}
