import { existsSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Most of them start many processes. */
const LONG = [
  'behaviour/demo',
  'behaviour/process-ends',
  'behaviour/seeded-mistakes',
  'behaviour/services',
  'behaviour/zero-interference',
  'cli/doctor',
  'detached-promises',
  'docs/examples',
  'faults',
  'integrations/process/process-signals',
  'integrations/process/uncaught-exception',
  'integrations/process/unhandled-rejection',
  'loaders',
  'register',
  'testing/docs',
  'testing/parallel',
  'types/declarations',
].map((name) => `test/${name}.test.ts`);

const gone = LONG.filter((file) => !existsSync(file));
if (gone.length > 0) throw new Error(`test/tooling/long-files-first.ts names files that do not exist: ${gone}`);

/**
 * Begins each project with its longest files, so that none of them runs at the end while the other workers have nothing
 * left to do. Until Vitest knows how long files take, it begins with the largest.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((file) => moduleId.endsWith(`/${file}`));
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}
