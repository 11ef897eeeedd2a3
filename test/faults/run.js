// What becomes of captured data at each end of a process, for each way in which a destination can misbehave: real
// processes, real sockets. `npm run test:faults`; `-- --ingest refused --end SIGTERM` runs the cells whose names contain
// these, `--verbose` prints what became of the data in each.
import { parseArgs } from 'node:util';
import { runCell } from './cell.js';
import { ENDS } from './ends.js';
import { keyOf, renderGrid } from './grid.js';
import { INGESTS } from './ingests.js';
import { runProgram } from './run-program.js';

const CONCURRENCY = 4;

const { values } = parseArgs({
  options: {
    ingest: { type: 'string', multiple: true },
    end: { type: 'string', multiple: true },
    verbose: { type: 'boolean' },
  },
});
const ingests = choose(INGESTS, values.ingest);
const ends = choose(ENDS, values.end);

const bareRuns = new Map();
await forEachAtOnce(ends, async (end) => {
  bareRuns.set(end, await runProgram(end.name, end));
});

/** @type {Map<string, import('./cell.js').Cell>} */
const cells = new Map();
const pairs = ingests.flatMap((ingest) => ends.map((end) => ({ ingest, end })));
await forEachAtOnce(pairs, runPair);
// Beside others, a process may be late because the machine is busy.
for (const pair of pairs) {
  if (cells.get(keyOf(pair.ingest, pair.end))?.failures.T) await runPair(pair);
}

for (const [key, { failures, account }] of cells) {
  for (const [letter, detail] of Object.entries(failures)) console.log(`${letter} ${key}: ${detail}`);
  if (values.verbose) console.log(`  ${key}: ${account}`);
}
console.log(`\n${renderGrid(ingests, ends, cells)}`);
if ([...cells.values()].some(({ failures }) => Object.keys(failures).length > 0)) process.exitCode = 1;

/** @param {typeof pairs[number]} pair */
async function runPair({ ingest, end }) {
  const cell = await runCell(ingest, end, bareRuns.get(end));
  cells.set(keyOf(ingest, end), cell);
  if (process.stderr.isTTY) process.stderr.write(`\r${cells.size} of ${pairs.length} cells `);
}

/**
 * @template {{ name: string }} Row
 * @param {readonly Row[]} rows
 * @param {string[]} [wanted] parts of names; all rows when absent
 */
function choose(rows, wanted) {
  const chosen = rows.filter(({ name }) => wanted?.some((part) => name.includes(part)) ?? true);
  if (chosen.length === 0) throw new Error(`none of ${rows.map(({ name }) => name).join(', ')} contains ${wanted}`);
  return chosen;
}

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<void>} work
 */
async function forEachAtOnce(items, work) {
  const waiting = [...items];
  const workers = Array.from({ length: CONCURRENCY }, async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  });
  await Promise.all(workers);
}
