/** Name under which the SDK presents itself to servers. */
export const SDK_NAME = 'faultline.javascript.node';

/** Equal to the version in package.json; a test holds them together. */
export const SDK_VERSION = '0.1.0';
