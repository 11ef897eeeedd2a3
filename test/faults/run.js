// What becomes of captured data at each end of a process, for each way in which a destination can misbehave; of a store
// whose processes are killed; and of three minutes under load: real processes, real sockets. `npm run test:faults`.
// `-- --ingest refused --end SIGTERM` runs the cells of the grid with these names, or whose names contain these;
// `--only kills` runs one part; `--verbose` prints what became of the data in each cell.
import { parseArgs } from 'node:util';
import { ENDS } from './ends.js';
import { renderGrid, runGrid } from './grid.js';
import { INGESTS } from './ingests.js';
import { killAtRandom, shareThroughOutage } from './shared-store.js';
import { soak } from './soak.js';

const { values } = parseArgs({
  options: {
    ingest: { type: 'string', multiple: true },
    end: { type: 'string', multiple: true },
    only: { type: 'string', multiple: true },
    verbose: { type: 'boolean' },
  },
});

/** Each returns what was not as promised. @type {Record<string, () => Promise<string[]>>} */
const PARTS = {
  grid: checkGrid,
  kills: () => killAtRandom(),
  outage: () => shareThroughOutage(),
  soak: () => soak({ seconds: 180 }),
};

const parts = values.only ?? (values.ingest || values.end ? ['grid'] : Object.keys(PARTS));
for (const part of parts) {
  const failures = await PARTS[part]?.();
  if (failures === undefined) throw new Error(`--only takes one of ${Object.keys(PARTS).join(', ')}, not ${part}`);
  for (const failure of failures) console.log(`✗ ${part}: ${failure}`);
  if (failures.length === 0) console.log(`✓ ${part}`);
  else process.exitCode = 1;
}

async function checkGrid() {
  const ingests = choose(INGESTS, values.ingest);
  const ends = choose(ENDS, values.end);
  const cells = await runGrid(ingests, ends, (count, total) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${count} of ${total} cells `);
  });
  if (values.verbose) for (const [key, { account }] of cells) console.log(`  ${key}: ${account}`);
  console.log(`\n${renderGrid(ingests, ends, cells)}\n`);
  return [...cells].flatMap(([key, { failures }]) =>
    Object.entries(failures).map(([letter, detail]) => `${letter} ${key}: ${detail}`),
  );
}

/**
 * @template {{ name: string }} Row
 * @param {readonly Row[]} rows
 * @param {string[]} [wanted] parts of names; all rows when absent
 */
function choose(rows, wanted) {
  const find = (/** @type {string} */ part) => {
    const exact = rows.filter(({ name }) => name === part);
    return exact.length > 0 ? exact : rows.filter(({ name }) => name.includes(part));
  };
  const chosen = wanted ? [...new Set(wanted.flatMap(find))] : rows;
  if (chosen.length === 0) throw new Error(`none of ${rows.map(({ name }) => name).join(', ')} contains ${wanted}`);
  return chosen;
}
