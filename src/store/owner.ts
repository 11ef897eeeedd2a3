import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** After this, files that a process holds may be taken by others, even if the process seems to be alive. */
const LEASE_MILLIS = 5 * 60 * 1000;
const INSTANCE_BYTES = 6;

/** Identifies a store of one process in file names: `<machine>.<pid>.<instance>`, all hexadecimal. */
export function createOwner(): string {
  return [readMachine(), process.pid.toString(16), randomBytes(INSTANCE_BYTES).toString('hex')].join('.');
}

/** Whether another process may take what the owner holds: the owner is dead, or has held it for too long. */
export function isAbandoned(owner: string, sinceMillis: number, nowMillis: number): boolean {
  // A clock that was set back must not keep files for ever.
  if (Math.abs(nowMillis - sinceMillis) > LEASE_MILLIS) return true;
  const [machine, pid = ''] = owner.split('.');
  return machine === readMachine() && !isRunning(Number.parseInt(pid, 16));
}

let machine: string | undefined;

/** Identifies where a process id means something: containers that share a folder have their own ids. */
function readMachine(): string {
  machine ??= createHash('sha256').update(`${hostname()}\n${readPidNamespace()}`).digest('hex').slice(0, 8);
  return machine;
}

function readPidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux.
    return '';
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
