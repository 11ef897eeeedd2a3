/** Name of the SDK in `sdk.name` and in the user agent. */
export const SDK_NAME = 'faultline.javascript.node';

/** Equal to the version in package.json, which a test checks. */
export const SDK_VERSION = '0.1.0';

/** Copies of this package with the same one share scopes and clients. */
export const SDK_MAJOR = majorOf(SDK_VERSION);

/** What compatible versions have in common: the major version. Before 1.0, it includes the minor one, as in the ranges of npm. */
export function majorOf(version: string): string | undefined {
  return /^(0\.)?\d+/.exec(version)?.[0];
}
