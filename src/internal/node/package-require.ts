import { isAbsolute } from 'node:path';

/** Read when the module is loaded: in CommonJS it takes a `require`, which Jest forbids after the end of a test file. */
const OWN_URL: string | undefined = import.meta.url;

/**
 * Creates a `require` that resolves from this package. In a bundle that does not know its own path it resolves from the
 * main script, which usually is the bundle. `node:module` is not imported, because bundles often declare the same import
 * again.
 */
export function createPackageRequire(): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(OWN_URL ?? mainScript() ?? '/');
}

function mainScript(): string | undefined {
  const script = process.argv[1];
  return script !== undefined && isAbsolute(script) ? script : undefined;
}
