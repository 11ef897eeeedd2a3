/** Name of the SDK in `sdk.name` and in the user agent. */
export const SDK_NAME = 'faultline.javascript.node';

/** Equal to the version in package.json, which a test checks. */
export const SDK_VERSION = '0.1.0';

/** Major version: copies of this package with the same one share scopes and clients. */
export const SDK_MAJOR = majorOf(SDK_VERSION);

export function majorOf(version: string): string | undefined {
  return version.split('.')[0];
}
