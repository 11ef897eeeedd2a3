import { constants } from 'node:os';
import { SIGNALS, startCommand, waitWhile } from '../command.js';

const NOT_FOUND_EXIT_CODE = 127;
/** How long a signal may take to end what the command has started. */
const GROUP_MILLIS = 5000;

export interface Ended {
  /** As a shell counts: 128 and the number of the signal, when a signal ended the command. */
  readonly exitCode: number;
  readonly signal?: NodeJS.Signals;
  /** Absent when the command has started. */
  readonly problem?: string;
}

/**
 * Starts a command, passes signals on to it, and waits for its end. Outside a terminal, signals also reach what it has
 * started; in one, it stays in the process group of this tool, because it may be interactive.
 */
export async function runCommand(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  // Before the start, which undoes what this does: a pipe becomes non-blocking, and many programs cannot read such a pipe.
  const hasTerminal = process.stdin.isTTY === true;
  // Node would throw: an unset variable of the shell, for example.
  if (!command[0]) return { exitCode: NOT_FOUND_EXIT_CODE, problem: 'its name is empty' };
  const { child, send } = startCommand(command, env, !hasTerminal);
  let isSignalled = false;
  const listeners = SIGNALS.map((signal) => {
    // Ctrl+C in a terminal has already reached the command, because it is in the same process group.
    const isTyped = (signal === 'SIGINT' || signal === 'SIGQUIT') && hasTerminal;
    const listener = () => {
      if (!isTyped) isSignalled = send(signal);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  try {
    const ended = await new Promise<Ended>((resolve) => {
      child.once('error', ({ message }) => resolve({ exitCode: NOT_FOUND_EXIT_CODE, problem: message }));
      child.once('exit', (code, signal) =>
        resolve(signal ? { exitCode: 128 + constants.signals[signal], signal } : { exitCode: code ?? 0 }),
      );
    });
    if (isSignalled) await waitWhile(() => send(0), GROUP_MILLIS);
    return ended;
  } finally {
    for (const stop of listeners) stop();
  }
}
