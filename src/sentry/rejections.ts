import { types } from 'node:util';
import {
  type Integration,
  onUnhandledRejectionIntegration as onUnhandledRejection,
  type UnhandledRejectionOptions,
} from '../index.js';
import { copyOwn } from '../internal/values/copy-own.js';
import { readList, readProperty } from '../internal/values/read.js';
import { noteMissing } from './stubs/missing.js';

type Matcher = string | RegExp;

interface RejectionOptions extends Omit<UnhandledRejectionOptions, 'ignore'> {
  ignore?: (Matcher | { name?: Matcher; message?: Matcher })[] | undefined;
}

/** The default of `mode` is that of the peer: prints the reason, and the process goes on. */
export function onUnhandledRejectionIntegration(options: RejectionOptions = {}): Integration {
  const { mode = 'warn', ignore, ...others } = copyOwn(options) as RejectionOptions;
  const ignored = readList(ignore) as NonNullable<RejectionOptions['ignore']>;
  const names = ignored.map((one) =>
    typeof one === 'string' || types.isRegExp(one) ? one : readProperty(one, 'name'),
  );
  if (ignored.some((one) => readProperty(one, 'message') !== undefined)) {
    noteMissing('ignore: [{ message }] of onUnhandledRejectionIntegration', 'Use ignoreErrors');
  }
  return onUnhandledRejection({ ...others, mode, ignore: names.filter((name) => name !== undefined) as Matcher[] });
}
