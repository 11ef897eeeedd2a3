import { dirname } from 'node:path';

const PACKAGE = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** The folder of the package that a file belongs to; `undefined` for files of the application. */
export function packageFolderOf(file: string): string | undefined {
  return PACKAGE.exec(file)?.[0].slice(0, -1);
}

/** The name of that package. */
export function packageOf(file: string): string | undefined {
  return PACKAGE.exec(file)?.[1]?.replace('\\', '/');
}

/** A folder and those above it, in which Node looks for packages. */
export function ancestorsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
}
