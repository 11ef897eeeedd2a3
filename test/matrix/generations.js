/**
 * @typedef {object} Generation
 * @property {string} name what `--sdk` takes
 * @property {2 | 3} major
 * @property {string} sdk the package whose version stands for the others
 * @property {Record<string, string>} packages what an application of this generation depends on
 * @property {object} [overrides] what npm is to be told where it checks peers strictly, as docs/setup.md says
 */

/** @type {Generation[]} The OpenTelemetry SDKs that are supported: the oldest, and the newest of each major version. */
export const GENERATIONS = [
  {
    name: '2.0',
    major: 2,
    sdk: '@opentelemetry/sdk-trace-base',
    packages: {
      '@opentelemetry/api': '1.9.0',
      '@opentelemetry/context-async-hooks': '2.0.0',
      '@opentelemetry/core': '2.0.0',
      '@opentelemetry/instrumentation': '0.200.0',
      '@opentelemetry/instrumentation-http': '0.200.0',
      '@opentelemetry/resources': '2.0.0',
      '@opentelemetry/sdk-node': '0.200.0',
      '@opentelemetry/sdk-trace-base': '2.0.0',
      '@opentelemetry/sdk-trace-node': '2.0.0',
    },
  },
  {
    name: '2',
    major: 2,
    sdk: '@opentelemetry/sdk-trace-base',
    packages: {
      '@opentelemetry/api': '~1.9.0',
      '@opentelemetry/context-async-hooks': '2',
      '@opentelemetry/core': '2',
      '@opentelemetry/instrumentation': '>=0.200.0 <0.300.0',
      '@opentelemetry/instrumentation-http': '>=0.200.0 <0.300.0',
      '@opentelemetry/resources': '2',
      '@opentelemetry/sdk-node': '>=0.200.0 <0.300.0',
      '@opentelemetry/sdk-trace-base': '2',
      '@opentelemetry/sdk-trace-node': '2',
    },
  },
  {
    name: '3',
    major: 3,
    sdk: '@opentelemetry/sdk-trace',
    packages: {
      '@opentelemetry/api': '^1.10.0',
      '@opentelemetry/context-async-hooks': '3',
      '@opentelemetry/core': '3',
      '@opentelemetry/instrumentation': '>=0.300.0 <0.400.0',
      '@opentelemetry/instrumentation-http': '>=0.300.0 <0.400.0',
      '@opentelemetry/resources': '3',
      '@opentelemetry/sdk-node': '>=0.300.0 <0.400.0',
      '@opentelemetry/sdk-trace': '3',
    },
    overrides: { faultline: { '@opentelemetry/api': '^1.10.0' } },
  },
];

/** The major versions of Node that are supported. */
export const NODE_MAJORS = ['20', '22', '24', '26'];
