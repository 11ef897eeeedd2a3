/**
 * `require` as this package would call it. In a CommonJS bundle, which has no URL of its own, it finds what Node has
 * loaded and nothing else. Not imported, because bundles often declare the same import once more.
 */
export function createPackageRequire(): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(import.meta.url ?? '/');
}
