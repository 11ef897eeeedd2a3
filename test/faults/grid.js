import { LETTERS } from './cell.js';

/** @typedef {import('./cell.js').Cell} Cell */

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
    ...Object.entries(LETTERS).flatMap(([letter, meaning]) => (used.has(letter) ? `${letter} ${meaning}` : [])),
  ].join('\n');
}

/** @param {{ name: string }} ingest @param {{ name: string }} end */
export function keyOf(ingest, end) {
  return `${ingest.name} x ${end.name}`;
}

/** @param {Cell | undefined} cell */
function renderCell(cell) {
  return cell ? (Object.keys(cell.failures)[0] ?? '.') : ' ';
}
