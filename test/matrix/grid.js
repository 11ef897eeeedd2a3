/**
 * @typedef {object} Row
 * @property {{ sdkVersion: string }} app rows of the same are one group
 * @property {string} title
 * @property {import('./cell.js').Cell[]} cells one for each Node
 */

/**
 * @param {{ version: string }[]} nodes
 * @param {Row[]} rows
 * @returns {string} a table: how many facts hold in each cell, or how many do not; and below it why some cells cannot be
 */
export function renderGrid(nodes, rows) {
  const table = [['OpenTelemetry SDK', '', ...nodes.map(({ version }) => `Node ${version}`)]];
  let previous;
  for (const { app, title, cells } of rows) {
    table.push([app === previous ? '' : app.sdkVersion, title, ...cells.map(renderCell)]);
    previous = app;
  }
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
  const reasons = new Set(rows.flatMap(({ cells }) => cells.flatMap(({ absent }) => absent ?? [])));
  return [...lines, ...[...reasons].map((reason) => `– ${reason}`)].join('\n');
}

/** @param {import('./cell.js').Cell} cell */
function renderCell({ passed, failures, absent }) {
  if (absent) return '–';
  return failures.length > 0 ? `✗ ${failures.length} of ${passed + failures.length}` : `✓ ${passed}`;
}
