import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes a copy of the built package believe to be of another version. @param root its folder */
export function changeVersion(root: string, version: string): void {
  const core = join(root, 'dist/faultline-core.cjs');
  const source = readFileSync(core, 'utf8');
  const { version: present } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (!source.includes(`"${present}"`)) throw new Error(`${core} does not say of which version it is`);
  writeFileSync(core, source.replaceAll(`"${present}"`, `"${version}"`));
}
