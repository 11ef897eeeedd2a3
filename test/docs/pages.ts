import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Paths from the root of the repository. All but docs/performance.md are published. */
export const PAGES = [
  'README.md',
  ...readdirSync('docs').flatMap((name) => (/\.md$/.test(name) ? `docs/${name}` : [])),
];

/** Pages whose examples another test runs, because they need packages or a runner of their own. */
export const RUN_ELSEWHERE: Record<string, string> = {
  'docs/frameworks.md': 'test/instrumentations/docs.test.ts',
  'docs/workers-and-serverless.md': 'test/instrumentations/docs.test.ts',
  'docs/testing.md': 'test/testing/docs.test.ts',
};

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** The heading above. */
  readonly title: string;
  readonly language: string;
  readonly code: string;
  /** Of an example: what the page says that it prints. */
  readonly printed?: string | undefined;
}

export function readPage(page: string): string {
  return readFileSync(page, 'utf8');
}

/** A relative link. */
export interface Link {
  readonly link: string;
  /** Where it leads, from the root of the repository. */
  readonly path: string;
  readonly anchor: string | undefined;
}

/** All fenced blocks, in their order. */
export function blocksOf(page: string): Block[] {
  const fence = /^ *```(.*)\n([\s\S]*?)^ *```(?:\n\nIt prints:\n\n```text\n([\s\S]*?)```)?$/gm;
  return readPage(page)
    .split(/^#+ /m)
    .flatMap((section) =>
      [...section.matchAll(fence)].map(([, language, code, printed]) => ({
        page,
        title: section.split('\n', 1)[0]!,
        language: language!,
        code: code!,
        printed,
      })),
    );
}

function withoutCode(page: string): string {
  return readPage(page).replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
}

/** As GitHub and npm name the anchors of headings. */
export function anchorsOf(page: string): string[] {
  return [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The relative links of a page. */
export function linksOf(page: string): Link[] {
  const text = withoutCode(page).replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ''));
  return [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].flatMap(([, markdown, html]) => {
    const link = markdown ?? html!;
    if (/^[a-z]+:/.test(link)) return [];
    const [file, anchor] = link.split('#') as [string, string?];
    return [{ link, path: file === '' ? page : normalize(join(dirname(page), file)), anchor }];
  });
}

/** Whether a block is a program. */
export function isProgram({ language }: Block): boolean {
  return language === 'js' || language === 'ts';
}
