import { readdirSync, readFileSync } from 'node:fs';

/** What is published: paths from the root of the repository. */
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

/** Whether a block is a program. */
export function isProgram({ language }: Block): boolean {
  return language === 'js' || language === 'ts';
}
