import type { IncomingMessage } from 'node:http';
import { types } from 'node:util';
import {
  onUnhandledRejectionIntegration as createOwnRejectionIntegration,
  httpServerIntegration as createOwnServerIntegration,
  type FetchOptions,
  fetchIntegration,
  type HttpClientOptions,
  type HttpServerOptions,
  httpClientIntegration,
  type Integration,
  type Options,
  type UnhandledRejectionOptions,
} from '../index.js';
import { copyOwn } from '../internal/values/copy-own.js';
import { readList, readProperty } from '../internal/values/read.js';
import { PARTS, STANDS_FOR } from './integration.js';
import { INSTEAD, noteMissing } from './stubs/missing.js';
import type { FeatureFlagsIntegration } from './types.js';

/** Options of the peer's HTTP integration. */
interface HttpOptions extends HttpClientOptions, PeerServerOptions {
  ignoreIncomingRequests?: ((urlPath: string, request: IncomingMessage) => boolean) | undefined;
  disableIncomingRequestSpans?: boolean | undefined;
  dropSpansForIncomingRequestStatusCodes?: HttpServerOptions['ignoreStatusCodes'];
  [option: string]: unknown;
}

interface PeerServerOptions extends HttpServerOptions {
  /** The same as `maxIncomingRequestBodySize`. */
  maxRequestBodySize?: HttpServerOptions['maxIncomingRequestBodySize'];
  [option: string]: unknown;
}

const INSTEAD_OF_OPTION: Record<string, string> = {
  ignoreOutgoingRequests: 'Use ignoreSpans and tracePropagationTargets',
  ignoreIncomingRequestBody: "Use maxIncomingRequestBodySize: 'none', which is for all requests",
  ignoreRequestBody: "Use maxIncomingRequestBodySize: 'none', which is for all requests",
  ignoreStaticAssets: 'Use ignoreRequests',
};

/** Notes each option that the peer has and Faultline has not. @returns a copy of the others, which our integration checks */
function noteOptions<T extends object>(integration: string, options: T): T {
  const others = copyOwn(options);
  for (const [name, instead] of Object.entries(INSTEAD_OF_OPTION)) {
    if (others[name] !== undefined) noteMissing(`${integration}({ ${name} })`, instead);
    delete others[name];
  }
  return others as T;
}

/** Stands for our integrations of HTTP servers and clients. */
export function httpIntegration(options: HttpOptions = {}): Integration {
  const {
    breadcrumbs,
    spans,
    ignoreIncomingRequests,
    ignoreRequests,
    disableIncomingRequestSpans,
    dropSpansForIncomingRequestStatusCodes,
    ignoreStatusCodes = dropSpansForIncomingRequestStatusCodes,
    ...server
  } = copyOwn(options) as HttpOptions;
  const parts = [
    httpClientIntegration({ breadcrumbs, spans }),
    createServerIntegration('httpIntegration', {
      ...server,
      spans: disableIncomingRequestSpans ? false : spans,
      ignoreRequests: ignoreIncomingRequests
        ? (request) => ignoreIncomingRequests(request.url ?? '/', request as IncomingMessage)
        : ignoreRequests,
      ignoreStatusCodes,
    }),
  ];
  return Object.assign({ name: 'Http' }, { [PARTS]: parts });
}

/** `httpServerIntegration` of the root, also with the peer's names of its options. */
export function httpServerIntegration(options: PeerServerOptions = {}): Integration {
  return createServerIntegration('httpServerIntegration', options);
}

function createServerIntegration(name: string, options: PeerServerOptions): Integration {
  const { maxRequestBodySize, maxIncomingRequestBodySize = maxRequestBodySize, ...others } = noteOptions(name, options);
  return createOwnServerIntegration({ ...others, maxIncomingRequestBodySize });
}

export function nativeNodeFetchIntegration(options: FetchOptions & Record<string, unknown> = {}): Integration {
  return fetchIntegration(noteOptions('nativeNodeFetchIntegration', options));
}

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
  return createOwnRejectionIntegration({
    ...others,
    mode,
    ignore: names.filter((name) => name !== undefined) as Matcher[],
  });
}

interface EventFilters extends Pick<Options, 'ignoreErrors' | 'ignoreTransactions' | 'allowUrls' | 'denyUrls'> {
  /** No error is ignored by default. */
  disableErrorDefaults?: boolean;
  ignoreInternal?: boolean;
}

/** Sets options: the filters are a step of the pipeline. */
export function eventFiltersIntegration(options: EventFilters = {}): Integration {
  const { disableErrorDefaults, ignoreInternal, ...filters } = copyOwn(options) as EventFilters;
  return Object.assign({ name: 'EventFilters' }, { [STANDS_FOR]: filters });
}

/** Sets the option `spotlight`. */
export function spotlightIntegration(options: { sidecarUrl?: string } = {}): Integration {
  return Object.assign(
    { name: 'Spotlight' },
    { [STANDS_FOR]: { spotlight: readProperty(options, 'sidecarUrl') ?? true } },
  );
}

export function featureFlagsIntegration(): FeatureFlagsIntegration {
  noteMissing('featureFlagsIntegration', INSTEAD.flags);
  return { name: 'FeatureFlags', addFeatureFlag: () => undefined };
}
