import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { anchorsOf, blocksOf, linksOf, PAGES, readPage } from './pages.js';

const OF_THE_REPOSITORY = [
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'examples/README.md',
  'src/scrubbing/README.md',
];

function isBroken({ path, anchor }: { path: string; anchor: string | undefined }): boolean {
  return !existsSync(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor));
}

describe('a link', () => {
  it.each([...PAGES, ...OF_THE_REPOSITORY])('of %s leads to a page and a heading that exist', (page) => {
    expect(linksOf(page).filter(isBroken)).toEqual([]);
  });
});

describe('the README', () => {
  const readme = readPage('README.md');

  it('has fewer than 1200 words', () => {
    expect(readme.split(/\s+/).length).toBeLessThan(1200);
  });

  it('begins with what users of the package do, and keeps the commands of the repository', () => {
    const commands = blocksOf('README.md').flatMap(({ language, code }) => (language === 'sh' ? code.trim() : []));
    expect(commands[0]).toBe('npm install faultline @opentelemetry/api');
    expect(commands.slice(-2)).toEqual(['npm ci && npm run demo', 'npm cit']);
  });
});

describe('docs/README.md', () => {
  const links = linksOf('docs/README.md');

  it('lists every page', () => {
    const listed = new Set(['docs/README.md', ...links.map(({ path }) => path)]);
    expect(PAGES.filter((page) => page.startsWith('docs/') && !listed.has(page))).toEqual([]);
  });

  it('answers at least twenty questions', () => {
    const questions = [...readPage('docs/README.md').matchAll(/^- \[.+\?\]\(\S+\)$/gm)];
    expect(questions.length).toBeGreaterThanOrEqual(20);
  });
});
