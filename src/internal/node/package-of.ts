const PACKAGE = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** The folder of the package that a file belongs to; `undefined` for files of the application. */
export function packageFolderOf(file: string): string | undefined {
  return PACKAGE.exec(file)?.[0].slice(0, -1);
}

/** The name of that package. */
export function packageOf(file: string): string | undefined {
  return PACKAGE.exec(file)?.[1]?.replace('\\', '/');
}
