import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = /\bSDK_VERSION ?= ?"([^"]*)"/;

/** Makes a copy of the built package believe to be of another version. @param root its folder */
export function changeVersion(root: string, version: string): void {
  const core = join(root, 'dist/faultline-core.cjs');
  const source = readFileSync(core, 'utf8');
  const present = VERSION.exec(source)?.[1];
  if (present === undefined) throw new Error(`${core} does not say of which version it is`);
  // The build writes the constant in the places where it is used.
  writeFileSync(core, source.replaceAll(present, version));
}
