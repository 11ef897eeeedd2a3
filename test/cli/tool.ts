import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';

const CLI = join(process.cwd(), 'dist', 'cli.cjs');

export interface Run {
  readonly child: ChildProcess;
  /** What was written so far. */
  output(): { stdout: string; stderr: string };
  /** Waits until stdout and stderr together match. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Waits for the end. */
  ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }>;
}

/** Starts the command `faultline` in a process of its own. */
export function startTool(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = process.cwd()): Run {
  return observe([process.execPath, CLI, ...args], 'ignore', env, cwd);
}

/** Whether `script`, of util-linux, can make a terminal. */
export const HAS_TERMINAL = process.platform === 'linux' && existsSync('/usr/bin/script');

/** Starts the command `faultline` in a terminal; what is written to its stdin is typed. */
export function startToolInTerminal(args: readonly string[], cwd: string): Run {
  // Without `exec`, a shell that stays in between takes Ctrl+C itself and ends at once.
  const command = `exec ${[process.execPath, CLI, ...args].map((arg) => `'${arg}'`).join(' ')}`;
  return observe(['/usr/bin/script', '--quiet', '--return', '--command', command, '/dev/null'], 'pipe', {}, cwd);
}

function observe([command, ...args]: string[], stdin: 'ignore' | 'pipe', env: NodeJS.ProcessEnv, cwd: string): Run {
  const child = spawn(command!, args, {
    cwd,
    env: { ...process.env, FAULTLINE_DSN: '', NO_COLOR: '1', FORCE_COLOR: '', ...env },
    stdio: [stdin, 'pipe', 'pipe'],
  });
  const { stdout, stderr } = child as { stdout: Readable; stderr: Readable };
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = { stdout: '', stderr: '' };
  stdout.setEncoding('utf8').on('data', (text) => {
    written.stdout += text;
    child.emit('written');
  });
  stderr.setEncoding('utf8').on('data', (text) => {
    written.stderr += text;
    child.emit('written');
  });
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  return {
    child,
    output: () => written,
    async until(pattern) {
      let hasEnded = false;
      for (;;) {
        const match = pattern.exec(`${written.stdout}\n${written.stderr}`);
        if (match !== null) return match;
        if (hasEnded) throw new Error(`ended without ${pattern}: ${JSON.stringify(written)}`);
        await Promise.race([once(child, 'written'), closed.then(() => (hasEnded = true))]);
      }
    },
    async ended() {
      const [code, signal] = await closed;
      return { code, signal, ...written };
    },
  };
}

/** Writes an application into a folder inside the package, so that it finds the package by its name. */
export function writeApp(source: string, name = 'app.mjs'): { folder: string; file: string } {
  const folder = mkdtempSync(join(process.cwd(), 'test', 'tooling', 'tmp-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), source);
  return { folder, file: name };
}
