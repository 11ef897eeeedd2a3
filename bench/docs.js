// Writes the tables of a run into `docs/performance.md`: by `run.js --save`, or `node docs.js` for the committed results.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readLastResults } from './results.js';
import { formatMarkdown } from './table.js';

const PAGE = new URL('../docs/performance.md', import.meta.url);

export function writeDocs(results) {
  let page = readFileSync(PAGE, 'utf8');
  for (const [name, table] of Object.entries(formatMarkdown(results))) {
    const place = new RegExp(`(<!-- ${name} -->\\n)[^]*(<!-- /${name} -->)`);
    page = page.replace(place, (_, begin, end) => `${begin}${table}\n${end}`);
  }
  writeFileSync(PAGE, page);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeDocs(readLastResults());
