import { isAbsolute } from 'node:path';

/**
 * Creates a `require` that resolves from this package. In a bundle that does not know its own path it resolves from the
 * main script, which usually is the bundle. `node:module` is not imported, because bundles often declare the same import
 * again.
 */
export function createPackageRequire(): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(import.meta.url ?? mainScript() ?? '/');
}

function mainScript(): string | undefined {
  const script = process.argv[1];
  return script !== undefined && isAbsolute(script) ? script : undefined;
}
