import { constants } from 'node:os';
import { init } from '../../index.js';
import { paintAnsi, paintNothing } from '../../receiver/render/paint.js';
import { DEFAULT_PORT, type Request } from '../arguments.js';
import { SIGNALS } from '../command.js';
import { EventStore } from './event-store.js';
import { LivePrinter } from './live-printer.js';
import { type Ended, runCommand } from './run-command.js';
import { type DevServer, startDevServer } from './server.js';

/** How long the tool waits for what the command has stored. */
const STORED_MILLIS = 2000;

type DevRequest = Extract<Request, { kind: 'dev' }>;

/** Runs the local destination, and the command that sends to it. @returns the exit code of the command */
export async function runDev({ command, port, stay }: DevRequest): Promise<number> {
  // What is sent through a tunnel would not arrive here.
  delete process.env['FAULTLINE_TUNNEL'];
  const folder = process.cwd();
  const paint = hasColors() ? paintAnsi : paintNothing;
  let arrived = 0;
  const store = new EventStore(folder);
  const printer = new LivePrinter(say, { paint, folder }, store);
  const server = await startDevServer({
    port,
    store,
    folder,
    onReceived: (received) => {
      arrived += received.added.length;
      printer.show(received);
    },
  });
  const running = command.length > 0 ? runCommand(command, environmentFor(server)) : waitForSignal();
  introduce(server, command);
  const ended = await running;
  const stored = command.length > 0 && ended.problem === undefined ? await sendStored(server) : 0;
  printer.finish();
  if (stored > 0) say(explainStored(stored));
  if (ended.problem !== undefined) say(explainProblem(command, ended.problem));
  else if (command.length > 0 && arrived === 0) say(explainNothing(ended, printer.discarded.describe()));
  if (command.length > 0 && (stay || (arrived > 0 && isWatched(ended)))) await keepPageOpen(server, ended);
  await server.close();
  if (ended.signal !== undefined) process.kill(process.pid, ended.signal);
  return ended.exitCode;
}

/**
 * Sends what the command has stored at its end, as the next process of the application would.
 *
 * @returns the number of errors and messages
 */
async function sendStored({ dsn }: DevServer): Promise<number> {
  const always = { enabled: true, debug: false, quiet: true };
  const client = init({ dsn, ...always, defaultIntegrations: false, skipOpenTelemetrySetup: true });
  await client.flush(STORED_MILLIS);
  await client.close(0);
  return client.ledger.balance().error?.recovered ?? 0;
}

/** Whether somebody at a terminal sees the end, and has not asked for it. */
function isWatched({ signal, exitCode }: Ended): boolean {
  const hasTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return hasTerminal && signal !== 'SIGINT' && exitCode !== 128 + constants.signals.SIGINT;
}

async function keepPageOpen({ url }: DevServer, ended: Ended): Promise<void> {
  say(`faultline: the command has ended (${describeEnd(ended)}). The page stays open at ${url}; Ctrl+C ends it.\n`);
  await waitForSignal();
}

function explainProblem([name]: readonly string[], problem: string): string {
  return `faultline: ${name || 'the command'} cannot be started: ${problem}.\n`;
}

function explainStored(count: number): string {
  const [subject, object] = count === 1 ? ['1 of these events was', 'it'] : [`${count} of these events were`, 'them'];
  return `faultline: ${subject} unsent when the command ended, as with process.exit(), and stored on disk. Elsewhere, the next
  process of the application sends ${object}; "await close()" before process.exit() sends ${object} at once.
`;
}

/** @param discarded empty if nothing was discarded */
function explainNothing(ended: Ended, discarded: string): string {
  if (discarded !== '') {
    return `faultline: nothing arrived from this command, which has ended (${describeEnd(ended)}), because all was discarded:
  ${discarded}. docs/delivery.md of the package has the reasons.
`;
  }
  return `faultline: nothing arrived from this command, which has ended (${describeEnd(ended)}).
  Did it fail, get a request, or start a span? A command that does none of these sends nothing.
  Does it call init()? If not, start it so: faultline dev -- node --import faultline/register app.js
  Does it pass a dsn to init()? An option wins over FAULTLINE_DSN; leave it out here.
  Does it call process.exit() with the store turned off, or in another folder? Call "await close()" first.
  "faultline doctor app.js" checks the rest.
`;
}

function environmentFor({ dsn }: DevServer): NodeJS.ProcessEnv {
  return {
    // Discards are shown with the trace that they belong to.
    FAULTLINE_CLIENT_REPORT_INTERVAL_MILLIS: '500',
    ...process.env,
    FAULTLINE_DSN: dsn,
    FAULTLINE_TRACES_SAMPLE_RATE: '1',
    FAULTLINE_DEV: '1',
  };
}

function introduce({ url, dsn, hasPort }: DevServer, command: readonly string[]): void {
  const other = hasPort ? '' : ` (port ${DEFAULT_PORT} is in use)`;
  say(`faultline: errors and traces are shown here and at ${url}${other}\n`);
  if (command.length === 0) {
    say(`Start your application in another terminal with\n  FAULTLINE_DSN=${dsn} FAULTLINE_TRACES_SAMPLE_RATE=1\n`);
  }
  say('\n');
}

function waitForSignal(): Promise<Ended> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.once(signal, () => resolve({ exitCode: 128 + constants.signals[signal], signal }));
    }
  });
}

function describeEnd({ exitCode, signal }: Ended): string {
  return signal ?? `exit code ${exitCode}`;
}

/** Output of the tool goes to stderr, so that stdout is the command's own. */
function say(text: string): void {
  process.stderr.write(text);
}

function hasColors(): boolean {
  if (process.env['FORCE_COLOR']) return process.env['FORCE_COLOR'] !== '0';
  return process.stderr.isTTY === true && !process.env['NO_COLOR'];
}
