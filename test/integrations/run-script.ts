import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A script that runs longer is killed; its status is then a signal. None is expected to be fast. */
const MAX_RUN_MILLIS = 50_000;

export interface ScriptResult {
  /** Exit status, or the signal that ended the process. */
  readonly status: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a module, by default an ES module, in a process of its own, in which `faultline` is the built package.
 *
 * @param env added to the environment
 * @param nodeOptions for Node itself
 * @param closesStderr whether the reader of its stderr goes away at once
 */
export function runScript(
  source: string,
  {
    env = {},
    nodeOptions = [],
    closesStderr = false,
    type = 'module',
  }: {
    type?: 'module' | 'commonjs';
    env?: Record<string, string>;
    nodeOptions?: string[];
    closesStderr?: boolean;
  } = {},
): Promise<ScriptResult> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...nodeOptions, `--input-type=${type}`, '--eval', source],
      { cwd: ROOT, env: { ...process.env, NODE_OPTIONS: '', ...env }, timeout: MAX_RUN_MILLIS },
      (error, stdout, stderr) => {
        const status = error ? (error.signal ?? (error.code as number | string)) : 0;
        resolve({ status, stdout, stderr });
      },
    );
    if (closesStderr) child.stderr?.destroy();
  });
}
