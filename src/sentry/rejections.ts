import {
  type Integration,
  onUnhandledRejectionIntegration as onUnhandledRejection,
  type UnhandledRejectionOptions,
} from '../index.js';
import { readProperty } from '../internal/values/read.js';
import { noteMissing } from './stubs/missing.js';

type Matcher = string | RegExp;

interface RejectionOptions extends Omit<UnhandledRejectionOptions, 'ignore'> {
  ignore?: (Matcher | { name?: Matcher; message?: Matcher })[] | undefined;
}

/** The default of `mode` is that of the peer: prints the reason, and the process goes on. */
export function onUnhandledRejectionIntegration({ mode = 'warn', ignore = [] }: RejectionOptions = {}): Integration {
  const names = ignore.map((one) => (typeof one === 'string' || one instanceof RegExp ? one : one.name));
  if (ignore.some((one) => readProperty(one, 'message') !== undefined)) {
    noteMissing('ignore: [{ message }] of onUnhandledRejectionIntegration', 'Use ignoreErrors');
  }
  return onUnhandledRejection({ mode, ignore: names.filter((name) => name !== undefined) });
}
