import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { guardOwn } from '../internal/guard.js';

/** After this, files may be taken over from an owner of which nothing is known. */
const LEASE_MILLIS = 5 * 60 * 1000;
const INSTANCE_BYTES = 6;
const UNKNOWN_START = '0';
/** Place of the start time in `/proc/<id>/stat`, counted from the field after the name, which is the state. */
const START_FIELD = 19;
/** States of zombies, which have ended, but whose parent has not read their status. */
const ENDED_STATES: ReadonlySet<string> = new Set(['Z', 'X']);

/**
 * Identifies a store of one thread in file names: `<machine>.<thread>.<start>.<instance>`. On Linux, threads
 * and processes share one range of ids, and the start time tells a thread from a later one with the same id.
 * Elsewhere, it is the id of the process, and the time is not known.
 */
export function createOwner(): string {
  const thread = readThread();
  const instance = randomBytes(INSTANCE_BYTES).toString('hex');
  return [readMachine(), thread.toString(16), readOwnStart(thread), instance].join('.');
}

/**
 * Whether another process may take what the owner holds: the owner is dead, or its lease has expired and it cannot be
 * identified.
 */
export function isAbandoned(owner: string, sinceMillis: number, nowMillis: number): boolean {
  const [machine, id = '', start = UNKNOWN_START] = owner.split('.');
  if (machine === readMachine()) {
    const thread = Number.parseInt(id, 16);
    // A slow owner keeps its files: if another process took them, both would send.
    if (start !== UNKNOWN_START) return !isSame(thread, start);
    if (!isRunning(thread)) return true;
  }
  // A clock that was set back must not keep files for ever.
  return Math.abs(nowMillis - sinceMillis) > LEASE_MILLIS;
}

let machine: string | undefined;

/** Identifies where process ids are unique: containers that share a folder have their own ids. */
function readMachine(): string {
  machine ??= createHash('sha256')
    .update(`${guardOwn('os.hostname', hostname, '')}\n${readLink('/proc/self/ns/pid')}`)
    .digest('hex')
    .slice(0, 8);
  return machine;
}

/** The id of the current thread, which is that of the process in the main thread, or anywhere but on Linux. */
function readThread(): number {
  return Number(basename(readLink('/proc/thread-self'))) || process.pid;
}

function readOwnStart(thread: number): string {
  try {
    return readStart(thread) ?? UNKNOWN_START;
  } catch {
    // Not Linux.
    return UNKNOWN_START;
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // Not Linux.
    return '';
  }
}

/** Whether the thread with this id is the one that started then. */
function isSame(thread: number, start: string): boolean {
  try {
    return readStart(thread) === start;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Too many open files, for example, say nothing about the thread.
    return code !== 'ENOENT' && code !== 'ESRCH';
  }
}

/**
 * When a thread started, in the units of the system.
 *
 * @throws if it does not run, or that cannot be found out
 * @see proc_pid_stat(5)
 */
function readStart(thread: number): string | undefined {
  const stat = readFileSync(`/proc/${thread}/stat`, 'latin1');
  // The name of the process comes before, and may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ENDED_STATES.has(fields[0] ?? '') ? undefined : fields[START_FIELD];
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
