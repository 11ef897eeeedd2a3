import { isArray, isInstance, readList } from '../../internal/values/read.js';
import { stringifySafely } from '../../internal/values/strings.js';

/** A message that knows its parameters, so that servers group it by its template. */
export class ParameterizedString extends String {
  /** With `%s` in place of each parameter. */
  readonly template: string;
  readonly params: readonly unknown[];

  /** @param message the message with its parameters filled in */
  constructor(message: string, template: string, params: readonly unknown[]) {
    super(message);
    this.template = template;
    this.params = params;
  }

  static is(value: unknown): value is ParameterizedString {
    return isInstance(value, ParameterizedString);
  }
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
  return new ParameterizedString(message, template, params) as unknown as string;
}

function stringifyParam(param: unknown): string {
  return stringifySafely(isArray(param) ? readList(param) : param, typeof param);
}
