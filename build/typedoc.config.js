import { ENTRIES } from './entries.js';

const fromRoot = (path) => new URL(`../${path}`, import.meta.url).pathname;

/**
 * `npm run docs`: a page for everything that the entries export.
 *
 * @type {Partial<import('typedoc').TypeDocOptions>}
 */
export default {
  entryPoints: Object.values(ENTRIES).map((file) => fromRoot(`src/${file}`)),
  tsconfig: fromRoot('build/tsconfig.json'),
  skipErrorChecking: true, // `npm run typecheck` has checked
  out: fromRoot('api-reference'),
  readme: 'none',
  name: 'Faultline',
  excludePrivate: true,
  excludeInternal: true,
  disableSources: true, // links to lines need the address of a repository
  treatWarningsAsErrors: true,
  // Parts of exported types that nobody has to name.
  intentionallyNotExported: [
    'Clock',
    'CONSOLE_METHODS',
    'DATA_CATEGORIES',
    'ErrorHandlerOptions',
    'EveContext',
    'EveOptions',
    'EventFilters',
    'Executing',
    'ForwardOptions',
    'HeaderValue',
    'HookResult',
    'HttpOptions',
    'IgnoredRequests',
    'IgnoredStatusCodes',
    'ITEM_TYPES',
    'Optional',
    'OwnTransportOptions',
    'Paint',
    'Part',
    'PeerOptions',
    'PeerServerOptions',
    'RecordMetric',
    'RejectionOptions',
    'RequestHandler',
    'ResultHooks',
    'TrpcCall',
    'TrpcOptions',
    'TunnelResponse',
    'Unset',
    'contracts.ts:Client',
  ],
  externalSymbolLinkMappings: Object.fromEntries(
    ['@opentelemetry/api', '@opentelemetry/sdk-trace', '@opentelemetry/sdk-trace-base'].map((name) => [
      name,
      { '*': `https://www.npmjs.com/package/${name}` },
    ]),
  ),
};
