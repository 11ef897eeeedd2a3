import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MILLIS = 50;

/** Signals that end the tool; it passes them on to the command. */
export const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

export type Command = ReturnType<typeof startCommand>;

/**
 * Starts a command with the input and output of this process.
 *
 * @param hasGroup whether it gets a process group of its own, except on Windows. A signal then also reaches what it has
 *   started (`npx` starts a shell, which starts node); what is typed in a terminal no longer reaches it.
 */
export function startCommand(command: readonly string[], env: NodeJS.ProcessEnv, hasGroup: boolean) {
  const [file, ...args] = command as [string, ...string[]];
  const detached = hasGroup && process.platform !== 'win32';
  const child = spawn(file, args, { stdio: 'inherit', env, detached });
  /** @returns whether there is still a process that gets it */
  const send = (signal: NodeJS.Signals | 0): boolean => {
    if (child.pid === undefined) return false;
    return detached ? sendSignal(-child.pid, signal) : child.kill(signal);
  };
  return { child, detached, send };
}

/** @returns whether there is such a process; a negative id is that of a group */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

export async function waitWhile(isRunning: () => boolean, maxMillis: number): Promise<void> {
  const deadline = Date.now() + maxMillis;
  while (isRunning() && Date.now() < deadline) await sleep(POLL_MILLIS);
}
