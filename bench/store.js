// What the store on disk costs when a process ends and when it starts: `node store.js [--rounds 5]`. Prints wall-clock
// milliseconds; each measurement runs in a process of its own.

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

const ENTRY = new URL('../dist/index.mjs', import.meta.url).href;
/** Nothing listens there. */
const DSN = 'http://key@127.0.0.1:9/1';

/** From the first `exit` listener to the last: what is captured is stored in between. */
const MEASURE_EXIT = `let begin;
  process.prependListener('exit', () => { begin = performance.now(); });
  process.on('exit', () => print(performance.now() - begin));
  captureMany(100);`;
/** The errors are ready to be sent, and wait for the destination. */
const EXIT_WHILE_DOWN = `${MEASURE_EXIT}
  setTimeout(() => process.exit(), 400);`;
/** The errors were captured just now: all that is done for an event is done on \`exit\`, too. */
const EXIT_IN_SAME_TICK = `${MEASURE_EXIT}
  process.exit();`;
/** How long \`init\` takes, and the longest turn of the event loop until the store has been looked at. */
const START = `let longest = startedIn, last = performance.now();
  setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 1);
    last = performance.now();
  }, 1);
  setTimeout(() => { print(longest); process.exit(); }, 400);`;
const FILL = `captureMany(1000); process.exit();`;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const results = { exitWhileDown: [], exitInSameTick: [], empty: [], full: [] };
for (let round = 0; round < Number(values.rounds); round++) {
  results.exitWhileDown.push(await inDirectory((run) => run(EXIT_WHILE_DOWN, 100)));
  results.exitInSameTick.push(await inDirectory((run) => run(EXIT_IN_SAME_TICK, 100)));
  results.empty.push(await inDirectory((run) => run(START, 0)));
  results.full.push(
    await inDirectory(async (run) => {
      await run(FILL, 1000);
      return run(START, 1000);
    }),
  );
}
print('exit with 100 unsent errors', results.exitWhileDown);
print('exit with 100 errors captured in the same tick', results.exitInSameTick);
print('longest turn after init, nothing stored', results.empty);
print('longest turn after init, 1,000 envelopes stored', results.full);

/** @param measure gets a function that runs a script, expects so many envelopes afterwards, and returns what it printed */
async function inDirectory(measure) {
  const directory = await mkdtemp(join(tmpdir(), 'faultline-bench-'));
  const run = async (script, envelopes) => {
    const source = `import { captureException, init } from '${ENTRY}';
      import { writeSync } from 'node:fs';
      const print = (value) => writeSync(1, String(value));
      const captureMany = (count) => { for (let i = 0; i < count; i++) captureException(new Error('error ' + i)); };
      const beginInit = performance.now();
      init({ dsn: '${DSN}', transportOptions: { store: { directory: '${directory}' } } });
      const startedIn = performance.now() - beginInit;
      ${script}`;
    // A file, so that the events have source lines.
    const file = join(directory, 'app.mjs');
    await writeFile(file, source);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    const files = (await readdir(directory, { recursive: true })).filter((file) => file.includes('.envelopes'));
    // Their names say how many they hold.
    const stored = files.reduce((sum, file) => sum + Number.parseInt(basename(file).split('-')[3], 36), 0);
    if (stored !== envelopes) throw new Error(`${stored} envelopes are stored, not ${envelopes}`);
    return Number(stdout);
  };
  try {
    return await measure(run);
  } finally {
    await rm(directory, { recursive: true });
  }
}

function print(what, millis) {
  const sorted = millis.toSorted((a, b) => a - b);
  const [low, middle, high] = [0, sorted.length >> 1, sorted.length - 1].map((index) => sorted[index].toFixed(1));
  console.log(`${what.padEnd(50)} ${middle} ms (${low}–${high})`);
}
