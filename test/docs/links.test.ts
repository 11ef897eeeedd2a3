import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, PAGES, readPage } from './pages.js';

const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] };
/** npm adds these by itself. */
const PUBLISHED = [...files, 'README.md', 'LICENSE'];
const OF_THE_REPOSITORY = [
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'examples/README.md',
  'src/scrubbing/README.md',
];

function withoutCode(page: string): string {
  return readPage(page).replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
}

/** As GitHub and npm name the anchors of headings. */
function anchorsOf(page: string): string[] {
  return [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Relative links: where they lead, from the root of the repository. */
function linksOf(page: string): { link: string; path: string; anchor: string | undefined }[] {
  const text = withoutCode(page).replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ''));
  return [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].flatMap(([, markdown, html]) => {
    const link = markdown ?? html!;
    if (/^[a-z]+:/.test(link)) return [];
    const [file, anchor] = link.split('#') as [string, string?];
    return [{ link, path: file === '' ? page : normalize(join(dirname(page), file)), anchor }];
  });
}

/** `docs/*.md`, in the `files` of the package. */
function matchesGlob(path: string, glob: string): boolean {
  const [folder, extension] = glob.split('*') as [string, string?];
  return extension !== undefined && dirname(path) === dirname(`${folder}x`) && path.endsWith(extension);
}

function isBroken({ path, anchor }: { path: string; anchor: string | undefined }): boolean {
  return !existsSync(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor));
}

describe('a link', () => {
  it.each([...PAGES, ...OF_THE_REPOSITORY])('of %s leads to a page and a heading that exist', (page) => {
    expect(linksOf(page).filter(isBroken)).toEqual([]);
  });

  it.each(PAGES)('of %s leads to what the package contains, but for pictures', (page) => {
    const isPublished = (path: string) =>
      PUBLISHED.some((one) => path === one || path.startsWith(`${one}/`) || matchesGlob(path, one));
    expect(linksOf(page).filter(({ path }) => !path.endsWith('.png') && !isPublished(path))).toEqual([]);
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
    const listed = new Set(links.map(({ path }) => path));
    expect(PAGES.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md' && !listed.has(page))).toEqual(
      [],
    );
  });

  it('answers at least twenty questions', () => {
    const questions = [...readPage('docs/README.md').matchAll(/^- \[.+\?\]\(\S+\)$/gm)];
    expect(questions.length).toBeGreaterThanOrEqual(20);
  });
});
