import { LETTERS, runCell, UNDECIDABLE } from './cell.js';
import { runProgram } from './run-program.js';

/** @typedef {import('./cell.js').Cell} Cell */
/** @typedef {import('./ends.js').EndRow} EndRow */
/** @typedef {import('./ingests.js').IngestRow} IngestRow */

const CONCURRENCY = 4;

/**
 * Runs all pairs, a few at a time.
 *
 * @param {readonly IngestRow[]} ingests
 * @param {readonly EndRow[]} ends
 * @param {(count: number, total: number) => void} [onProgress]
 * @returns {Promise<Map<string, Cell>>} the cells, by `keyOf`
 */
export async function runGrid(ingests, ends, onProgress) {
  const bareRuns = new Map();
  const runBare = async (/** @type {EndRow} */ end) => bareRuns.set(end, await runProgram(end.name, end));
  await forEachAtOnce(ends, runBare);

  /** @type {Map<string, Cell>} */
  const cells = new Map();
  const pairs = ingests.flatMap((ingest) => ends.map((end) => ({ ingest, end })));
  await forEachAtOnce(pairs, async ({ ingest, end }) => {
    cells.set(keyOf(ingest, end), await runCell(ingest, end, bareRuns.get(end)));
    onProgress?.(cells.size, pairs.length);
  });
  // Beside others, a process may be late because the machine is busy.
  for (const { ingest, end } of pairs) {
    if (!cells.get(keyOf(ingest, end))?.failures.T) continue;
    await runBare(end);
    cells.set(keyOf(ingest, end), await runCell(ingest, end, bareRuns.get(end)));
  }
  return cells;
}

/**
 * @param {readonly { name: string }[]} ingests the rows
 * @param {readonly { name: string }[]} ends the columns
 * @param {ReadonlyMap<string, Cell>} cells by `keyOf`
 * @returns {string} a letter for each cell, and below what the columns and letters are
 */
export function renderGrid(ingests, ends, cells) {
  const width = Math.max(...ingests.map(({ name }) => name.length));
  const headings = ends.map((_, column) => String.fromCharCode('a'.charCodeAt(0) + column));
  const lines = ingests.map((ingest) => {
    const row = ends.map((end) => renderCell(cells.get(keyOf(ingest, end))));
    return `${ingest.name.padEnd(width)}  ${row.join(' ')}`;
  });
  const used = new Set([...cells.values()].map(renderCell));
  return [
    `${' '.repeat(width)}  ${headings.join(' ')}`,
    ...lines,
    '',
    ...ends.map(({ name }, column) => `${headings[column]} ${name}`),
    '',
    '. as promised',
    ...(used.has(UNDECIDABLE.letter) ? [`${UNDECIDABLE.letter} ${UNDECIDABLE.meaning}`] : []),
    ...Object.entries(LETTERS).flatMap(([letter, meaning]) => (used.has(letter) ? `${letter} ${meaning}` : [])),
  ].join('\n');
}

/** @param {{ name: string }} ingest @param {{ name: string }} end */
export function keyOf(ingest, end) {
  return `${ingest.name} x ${end.name}`;
}

/** @param {Cell | undefined} cell */
function renderCell(cell) {
  return cell ? (Object.keys(cell.failures)[0] ?? (cell.isUndecided ? UNDECIDABLE.letter : '.')) : ' ';
}

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<unknown>} work
 */
async function forEachAtOnce(items, work) {
  const waiting = [...items];
  const workers = Array.from({ length: CONCURRENCY }, async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  });
  await Promise.all(workers);
}
