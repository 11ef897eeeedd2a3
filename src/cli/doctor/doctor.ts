import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { plural } from '../../receiver/render/describe-event.js';
import { toLine } from '../../receiver/render/inert.js';
import { parseDsn } from '../../transport/dsn.js';
import type { Request } from '../arguments.js';
import { type Command, SIGNALS, sendSignal, startCommand, waitWhile } from '../command.js';
import { explainAnswer, explainTest, type Verdict } from '../destination.js';
import { type DoctorReport, FOLDER_VARIABLE, SEND_VARIABLE } from './report.js';

const POLL_MILLIS = 100;
/** For the answers of the destination, once the application has called `init`. */
const EXTRA_MILLIS = 30_000;
const STOP_MILLIS = 5000;
const MAX_LINE_LENGTH = 1000;
const TYPESCRIPT = /\.[cm]?tsx?$/;

type Line = readonly [mark: '✓' | '✗' | '·', text: string, more?: string];

/** Starts the application with a probe in it, and prints what the probe found. @returns the exit code */
export async function runDoctor({ command, send, waitSeconds }: Extract<Request, { kind: 'doctor' }>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-doctor-'));
  const started = startCommand(command, environmentFor(folder, send), true);
  const { child } = started;
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      started.send(signal);
      rmSync(folder, { recursive: true, force: true });
      process.kill(process.pid, signal);
    });
  }
  const end = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(`cannot be started: ${message}.`));
    child.once('exit', (code, signal) =>
      resolve(`ended with ${signal ?? `exit code ${code}`} before it called init.${hintFor(command)}`),
    );
  });
  try {
    const report = await waitForReport(folder, end, waitSeconds);
    await stop(started, end, folder);
    const lines = typeof report === 'string' ? [['✗', report] as const] : describeReport(report);
    for (const [mark, text, more] of lines) {
      process.stdout.write(`${mark} ${toLine(text, MAX_LINE_LENGTH)}\n`);
      if (more !== undefined) process.stdout.write(`    ${toLine(more, MAX_LINE_LENGTH)}\n`);
    }
    const problems = lines.filter(([mark]) => mark === '✗').length;
    process.stdout.write(`\n${problems === 0 ? 'No problem' : plural(problems, 'problem')} found.\n`);
    return problems === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function environmentFor(folder: string, send: boolean): NodeJS.ProcessEnv {
  const probe = join(__dirname, 'doctor-probe.cjs');
  const nodeOptions = `${process.env['NODE_OPTIONS'] ?? ''} --require ${JSON.stringify(probe)}`.trim();
  return { ...process.env, NODE_OPTIONS: nodeOptions, [FOLDER_VARIABLE]: folder, [SEND_VARIABLE]: send ? '1' : '0' };
}

/** @returns the report, or why there is none */
async function waitForReport(
  folder: string,
  end: Promise<string>,
  waitSeconds: number,
): Promise<DoctorReport | string> {
  let ended: string | undefined;
  const noteEnd = end.then((how) => {
    ended = how;
  });
  const deadline = Date.now() + waitSeconds * 1000 + EXTRA_MILLIS;
  const initDeadline = Date.now() + waitSeconds * 1000;
  for (;;) {
    const report = readDoctorReport(folder);
    if (report !== undefined) return report;
    if (ended !== undefined) return `The application ${ended}`;
    if (Date.now() > deadline || (Date.now() > initDeadline && !isStarted(folder))) {
      return `The application did not call init within ${waitSeconds} seconds. Call it first, or start with: node --import faultline/register`;
    }
    await Promise.race([sleep(POLL_MILLIS), noteEnd]);
  }
}

function hintFor([runner, file = '']: readonly string[]): string {
  if (runner !== process.execPath || !TYPESCRIPT.test(file)) return '';
  return ` If Node cannot run TypeScript, name the command that does: faultline doctor -- npx tsx ${file}`;
}

function isStarted(folder: string): boolean {
  return readdirSync(folder).some((name) => name.endsWith('.started'));
}

function readDoctorReport(folder: string): DoctorReport | undefined {
  const name = readdirSync(folder).find((one) => one.endsWith('.json'));
  return name === undefined ? undefined : JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

function describeReport({ version, isEnabled, dsn, problems, notes, destination, test }: DoctorReport): Line[] {
  const lines: Line[] = [['✓', `init was called (faultline ${version}).`]];
  for (const { code, feature, message, remedy } of problems)
    lines.push(['✗', `${code} (${feature}): ${message}`, `fix: ${remedy}`]);
  if (isEnabled && problems.length === 0) lines.push(['✓', 'The setup within the application has no problem.']);
  // The only note about a client that is off says so.
  for (const { code, feature, message, remedy } of notes)
    lines.push([isEnabled ? '·' : '✗', `${code} (${feature}): ${message}`, `if not intended: ${remedy}`]);
  if (destination === undefined) lines.push(['✗', 'The application ended before its destination could be asked.']);
  // The report names a missing or invalid DSN as a problem of the setup.
  else if (isEnabled && destination.kind !== 'none')
    lines.push(toLineOf(explainAnswer(destination, dsn ?? 'The destination')));
  if (test !== undefined) lines.push(toLineOf(explainTest(test, parseDsn(dsn))));
  return lines;
}

function toLineOf({ isGood, message }: Verdict): Line {
  return [isGood ? '✓' : '✗', message];
}

/** Stops the command and what it has started: on Windows, which has no process groups, what has called `init`. */
async function stop({ detached, send }: Command, end: Promise<string>, folder: string): Promise<void> {
  // The probe names its files by its process.
  const names = detached ? [] : readdirSync(folder);
  const pids = [...new Set(names.map((name) => Number.parseInt(name, 10)))];
  const sendAll = (signal: NodeJS.Signals | 0): boolean =>
    [send(signal), ...pids.map((pid) => sendSignal(pid, signal))].includes(true);
  sendAll('SIGTERM');
  const timer = setTimeout(() => sendAll('SIGKILL'), STOP_MILLIS);
  await end;
  await waitWhile(() => sendAll(0), STOP_MILLIS + POLL_MILLIS);
  clearTimeout(timer);
}
