import { ProxyTracerProvider } from '@opentelemetry/api';
import { guard } from '../internal/guard.js';
import { readProperty, readString } from '../internal/read.js';

const KEY = 'opentelemetry.js.api.';
const MAJOR = '1';

/** Proxies of the API stand before the provider; one of another copy may stand before that one. */
const MAX_PROXIES = 3;

/**
 * What is registered with the OTel API, by whichever copy of it. The API itself shows this only to copies that are no
 * newer than the one that registered first, and not all of it.
 */
export interface ApiGlobals {
  /** Of the copy that registered first; absent while nothing is registered. */
  readonly version: string | undefined;
  /** What {@link trace} of that copy hands out: mostly a proxy. */
  readonly trace: unknown;
  readonly context: unknown;
  readonly propagation: unknown;
  readonly diag: unknown;
}

/** Reads without side effects; never throws. */
export function readApiGlobals(major = MAJOR): ApiGlobals {
  const registry = readProperty(globalThis, Symbol.for(KEY + major));
  return {
    version: readString(registry, 'version'),
    trace: readProperty(registry, 'trace'),
    context: readProperty(registry, 'context'),
    propagation: readProperty(registry, 'propagation'),
    diag: readProperty(registry, 'diag'),
  };
}

/** The other major versions of the API with which a tracer provider was registered. */
export function otherMajors(): string[] {
  return Object.getOwnPropertySymbols(globalThis)
    .flatMap((symbol) => (symbol.description?.startsWith(KEY) ? symbol.description.slice(KEY.length) : []))
    .filter((major) => major !== MAJOR && readApiGlobals(major).trace !== undefined);
}

/** The tracer provider behind the API's proxies; `undefined` where none is registered. */
export function registeredTracerProvider(registered = readApiGlobals().trace): object | undefined {
  let provider = registered;
  for (let i = 0; i < MAX_PROXIES && typeof readProperty(provider, 'getDelegate') === 'function'; i++) {
    const proxy = provider as { getDelegate(): unknown };
    provider = guard('getDelegate of a tracer provider', () => proxy.getDelegate(), undefined);
  }
  if (typeof readProperty(provider, 'getTracer') !== 'function') return undefined;
  return isNoProvider(provider) ? undefined : (provider as object);
}

/** What the API has while there is none. */
const NO_PROVIDER = new ProxyTracerProvider().getDelegate();

/** That of another copy of the API can be told by its name only, which bundlers may have changed. */
function isNoProvider(provider: unknown): boolean {
  return provider === NO_PROVIDER || classNameOf(provider) === 'NoopTracerProvider';
}

/** Name of an object's class, as far as it tells one; without the number that bundlers add where a name comes twice. */
export function classNameOf(value: unknown): string | undefined {
  return readString(readProperty(value, 'constructor'), 'name')?.replace(/\$\d+$/, '') || undefined;
}
