import { expect, it } from 'vitest';
import { runCell } from './faults/cell.js';
import { ENDS } from './faults/ends.js';
import { INGESTS } from './faults/ingests.js';
import { runProgram } from './faults/run-program.js';

/** A slice of what `npm run test:faults` runs. */
const CELLS: [ingest: string, end: string][] = [
  ['ok', 'loop runs empty'],
  ['ok', 'exit in the same tick'],
  ['refused', 'SIGTERM'],
  ['refused', 'uncaught exception'],
  ['502, then ok', 'rejection, throw'],
  ['500', 'loop runs empty'],
  ['500', 'exit in a worker'],
];

it.concurrent.each(CELLS)(
  'with the destination %s, what was captured is accounted for after %s',
  async (...names) => {
    const ingest = INGESTS.find(({ name }) => name === names[0])!;
    const end = ENDS.find(({ name }) => name === names[1])!;
    const { T: _, ...failures } = (await runCell(ingest, end, await runProgram(end.name, end))).failures;
    expect(failures).toEqual({});
  },
  120_000,
);
