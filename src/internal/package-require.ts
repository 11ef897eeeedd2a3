/**
 * Creates a `require` that resolves from this package. In a CommonJS bundle, where `import.meta.url` is undefined, it
 * finds only what Node has loaded. `node:module` is not imported, because bundles often declare the same import again.
 */
export function createPackageRequire(): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(import.meta.url ?? '/');
}
