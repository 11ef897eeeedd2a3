// Writes the table of a run into `docs/performance.md`: by `run.js --save`, or `node docs.js` for the committed results.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readLastResults } from './results.js';
import { formatMarkdown } from './table.js';

const PAGE = new URL('../docs/performance.md', import.meta.url);
const TABLE = /(<!-- bench -->\n)[\s\S]*(\n<!-- \/bench -->)/;

export function writeDocs(results) {
  const table = formatMarkdown(results);
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(TABLE, (_, begin, end) => begin + table + end),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeDocs(readLastResults());
