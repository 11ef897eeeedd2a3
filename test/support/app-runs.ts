import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { changeVersion } from './change-version.js';

const MAX_RUN_MILLIS = 60_000;
const MAX_AT_ONCE = 2;
/** The application's own packages, beside Faultline. */
const PACKAGES = ['@opentelemetry', 'express'];

/** A small application that runs in a process of its own. */
export interface App {
  readonly name: string;
  /** Where its main script is CommonJS. @default an ES module */
  readonly isCommonJs?: boolean;
  /** The main script. `DSN` is the variable that names the destination. */
  readonly main: string;
  /** Further files. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
  /** The project that the DSN names: `1`, or the status that the destination answers. @default 1 */
  readonly project?: number;
  /** Installs a copy of Faultline with this version beside the real one, as `other-faultline`. */
  readonly otherCopy?: string;
}

export interface AppRun {
  readonly status: number | string;
  readonly stdout: string;
  readonly stderr: string;
  /** Envelopes that the destination accepted. */
  readonly accepted: number;
}

/** Runs the applications, two at a time, each against a project of one destination. @returns their runs by name */
export async function runApps(apps: readonly App[]): Promise<ReadonlyMap<string, AppRun>> {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-apps-'));
  const destination = await startDestination();
  const runs = new Map<string, AppRun>();
  const waiting = [...apps.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, app] = next;
      const root = install(join(folder, String(index)), app);
      const dsn = `http://key${index}@127.0.0.1:${destination.port}/${app.project ?? 1}`;
      runs.set(app.name, { ...(await run(root, app, dsn)), accepted: destination.accepted.get(`key${index}`) ?? 0 });
    }
  };
  try {
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
  } finally {
    destination.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return runs;
}

function install(root: string, { main, files = {}, isCommonJs, otherCopy }: App): string {
  const modules = join(root, 'node_modules');
  mkdirSync(modules, { recursive: true });
  symlinkSync(resolve('.'), join(modules, 'faultline'));
  for (const name of PACKAGES) symlinkSync(resolve('node_modules', name), join(modules, name));
  if (otherCopy) installCopy(modules, otherCopy);
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: isCommonJs ? 'commonjs' : 'module' }));
  for (const [path, source] of Object.entries({ ...files, 'main.js': main })) writeFileSync(join(root, path), source);
  return root;
}

/** A copy of the built package that believes to be of another version. */
function installCopy(modules: string, version: string): void {
  const root = join(modules, 'other-faultline');
  mkdirSync(root);
  cpSync('dist', join(root, 'dist'), { recursive: true });
  cpSync('package.json', join(root, 'package.json'));
  changeVersion(root, version);
}

function run(root: string, { env, nodeOptions = [] }: App, dsn: string): Promise<Omit<AppRun, 'accepted'>> {
  return new Promise((settle) => {
    execFile(
      process.execPath,
      [...nodeOptions, 'main.js'],
      { cwd: root, timeout: MAX_RUN_MILLIS, env: { ...process.env, NODE_OPTIONS: '', VITEST: '', DSN: dsn, ...env } },
      (error, stdout, stderr) => {
        settle({ status: error ? (error.signal ?? (error.code as number | string)) : 0, stdout, stderr });
      },
    );
  });
}

/** Answers with the status that the project's number is, and 200 for project 1. */
async function startDestination() {
  const accepted = new Map<string, number>();
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      const project = Number(/^\/api\/(\d+)\//.exec(pathname)?.[1]);
      const key = searchParams.get('sentry_key') ?? '';
      if (project === 1) accepted.set(key, (accepted.get(key) ?? 0) + 1);
      response.writeHead(project === 1 ? 200 : project, { 'content-type': 'application/json' });
      response.end(project === 1 ? '{}' : JSON.stringify({ detail: `status \u001b[31m${project}` }));
    });
  });
  await new Promise<void>((started) => server.listen(0, '127.0.0.1', started));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, accepted, close };
}
