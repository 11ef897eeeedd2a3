import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Passed on to the command. */
const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
const NOT_FOUND_EXIT_CODE = 127;

export interface Ended {
  /** As a shell counts: 128 and the number of the signal, when a signal ended the command. */
  readonly exitCode: number;
  readonly signal?: NodeJS.Signals;
  /** Absent when the command has started. */
  readonly problem?: string;
}

/** Starts a command with the terminal of this process, and waits for its end. Passes signals on to it. */
export async function runCommand(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const [file, ...args] = command as [string, ...string[]];
  const child = spawn(file, args, { stdio: 'inherit', env });
  const listeners = SIGNALS.map((signal) => {
    // What is typed in a terminal has reached the command already, because it is of the same group.
    const isTyped = (signal === 'SIGINT' || signal === 'SIGQUIT') && process.stdin.isTTY === true;
    const listener = () => {
      if (!isTyped) child.kill(signal);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  try {
    return await new Promise<Ended>((resolve) => {
      child.once('error', ({ message }) => resolve({ exitCode: NOT_FOUND_EXIT_CODE, problem: message }));
      child.once('exit', (code, signal) =>
        resolve(signal ? { exitCode: 128 + constants.signals[signal], signal } : { exitCode: code ?? 0 }),
      );
    });
  } finally {
    for (const stop of listeners) stop();
  }
}
