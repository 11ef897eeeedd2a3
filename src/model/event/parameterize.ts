import { createPrivateSlot } from '../../internal/collections/private-slot.js';
import { isArray, isObject, readList } from '../../internal/values/read.js';
import { stringifySafely } from '../../internal/values/strings.js';

/** What a message was made of. */
interface Parameters {
  /** With `%s` in place of each parameter. */
  readonly template: string;
  readonly params: readonly unknown[];
}

const parameters = createPrivateSlot<Parameters>();

/** @returns `undefined` for a message that {@link parameterize} has not made */
export function parametersOf(message: unknown): Parameters | undefined {
  return isObject(message) ? parameters.get(message) : undefined;
}

/**
 * Tag for a message template: ``captureMessage(parameterize`order ${id} failed`)``. Events with the same template are
 * one issue, whatever the parameters.
 *
 * @returns a string object for `captureMessage`, typed as a string
 */
export function parameterize(strings: TemplateStringsArray, ...params: unknown[]): string {
  const parts = readList(strings).map(stringifyParam);
  const message = parts.reduce(
    (start, part, i) => (i === 0 ? part : `${start}${stringifyParam(params[i - 1])}${part}`),
    '',
  );
  const template = parts.map((part) => part.replaceAll('%', '%%')).join('%s');
  // Not a class that extends `String`: once there is one, or a first string object, V8 calls methods of all strings in the
  // process several times more slowly, so that only applications that use this may have one.
  const text: object = Object(message);
  parameters.set(text, { template, params });
  return text as unknown as string;
}

function stringifyParam(param: unknown): string {
  return stringifySafely(isArray(param) ? readList(param) : param, typeof param);
}
