/**
 * A table whose columns are as wide as their widest cell, with a line under the header.
 *
 * @param {string[]} header
 * @param {(string | number)[][]} rows
 */
export function renderTable(header, rows) {
  const cells = [header, ...rows.map((row) => row.map(String))];
  const widths = header.map((_, column) => Math.max(0, ...cells.map((row) => row[column]?.length ?? 0)));
  const ruled = [header, widths.map((width) => '─'.repeat(width)), ...cells.slice(1)];
  return ruled
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
