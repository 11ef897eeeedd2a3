const PACKAGE = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** The name of the package that a file belongs to; `undefined` for files of the application. */
export function packageOf(file: string): string | undefined {
  return PACKAGE.exec(file)?.[1]?.replace('\\', '/');
}
