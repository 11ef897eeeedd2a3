import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: { ...process.env, FAULTLINE_DSN: '', NO_COLOR: '1', FORCE_COLOR: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    written.stdout += text;
    child.emit('written');
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
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
