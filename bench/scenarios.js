// What is measured, in the order of the table. Each name is a file of `scenarios/`.

export const SCENARIOS = [
  'sampled-trace',
  'unsampled-trace',
  'tracing-off',
  'beside-otel',
  'wide-trace',
  'wide-trace-at-once',
  'open-roots',
  'capture-exception',
  'capture-message',
  'console-line',
  'error-storm',
  'error-storm-equal',
  'large-event',
  'http-server',
  'http-spans',
  'http-server-tenth',
  'start-up',
  'start-up-memory',
];

/**
 * What a file of `scenarios/` says about itself. The members that only its script reads are described there.
 *
 * @typedef {object} Scenario
 * @property {string} title for the table
 * @property {string[]} systems files of `systems/`; the table has lines for those of this package
 * @property {string} [baseline] the system of bare OpenTelemetry
 * @property {{ of: 'otel' | 'peer' | 'figure', max: number }} goal the largest ratio to bare OpenTelemetry or the peer, or
 *   the largest figure
 * @property {string} [script] measures one system and prints `{ figure, bytes }` as JSON, and
 *   `deliveredShare` where spans may be dropped. @default 'measure.js'
 * @property {string} [unit] of the figure. @default 'µs'
 */

/** @returns {Promise<Scenario & { name: string }>} */
export async function loadScenario(name) {
  return { name, script: 'measure.js', unit: 'µs', ...(await import(`./scenarios/${name}.js`)) };
}

export const PEER = 'sentry';

/** The systems whose lines the table has; the others are what they are compared with. */
export function ownSystems({ systems }) {
  return systems.filter((system) => system.startsWith('faultline'));
}
