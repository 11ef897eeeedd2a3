/**
 * A reporter of `node:test` that writes one line of JSON for each test that ran: its name, and its error if it failed.
 *
 * @param {AsyncIterable<{ type: string, data: any }>} source
 */
export default async function* report(source) {
  /** @type {string[]} */
  const path = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') path.splice(data.nesting, path.length, data.name);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details.type === 'suite' || data.skip !== undefined) continue;
    const error = type === 'test:fail' ? describe(data.details.error) : undefined;
    yield `${JSON.stringify({ name: [...path.slice(0, data.nesting), data.name].join(' › '), error })}\n`;
  }
}

/** @param {Error & { cause?: unknown }} error in which `node:test` wraps what was thrown */
function describe({ cause, message }) {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? message);
}
