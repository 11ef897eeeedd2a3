import { ProxyTracerProvider } from '@opentelemetry/api';
import { guard } from '../../internal/guard.js';
import { keepInJest } from '../../internal/node/jest-globals.js';
import { isObjectOrFunction, readProperty, readString } from '../../internal/values/read.js';

const KEY = 'opentelemetry.js.api.';
const MAJOR = '1';

/** The API wraps the provider in a proxy, and another copy of the API may wrap that proxy again. */
const MAX_PROXIES = 3;

/**
 * The globals of the OTel API, whichever copy of it registered them. Read from the API's slot on `globalThis`, because
 * the API hides them from copies that are newer than the first one. No side effects; never throws.
 */
export function readApiGlobals(major = MAJOR) {
  const registry = readProperty(globalThis, Symbol.for(KEY + major));
  return {
    /** Of the copy that registered first; absent while nothing is registered. */
    version: readString(registry, 'version'),
    /** The registered tracer provider, usually a proxy. */
    trace: readProperty(registry, 'trace'),
    context: readProperty(registry, 'context'),
    propagation: readProperty(registry, 'propagation'),
    diag: readProperty(registry, 'diag'),
  };
}

/** Keeps the API usable after the end of a Jest test file, when captured data is still being sent; see `keepInJest`. */
export function keepApiGlobals(): void {
  const registry = readProperty(globalThis, Symbol.for(KEY + MAJOR));
  if (isObjectOrFunction(registry)) keepInJest(registry);
}

/** The other major versions of the API with which a tracer provider was registered. */
export function otherMajors(): string[] {
  return Object.getOwnPropertySymbols(globalThis)
    .flatMap((symbol) => (symbol.description?.startsWith(KEY) ? symbol.description.slice(KEY.length) : []))
    .filter((major) => major !== MAJOR && readApiGlobals(major).trace !== undefined);
}

/** The tracer provider that the API's proxies call; `undefined` where none is registered. */
export function registeredTracerProvider(registered = readApiGlobals().trace): object | undefined {
  let provider = registered;
  for (let i = 0; i < MAX_PROXIES && typeof readProperty(provider, 'getDelegate') === 'function'; i++) {
    const proxy = provider as { getDelegate(): unknown };
    provider = guard('getDelegate of a tracer provider', () => proxy.getDelegate());
  }
  if (typeof readProperty(provider, 'getTracer') !== 'function') return undefined;
  return isNoProvider(provider) ? undefined : (provider as object);
}

/** The API's placeholder while no provider is registered. */
const NO_PROVIDER = new ProxyTracerProvider().getDelegate();

/** The placeholder of another copy of the API is known by its class name only, which bundlers may change. */
function isNoProvider(provider: unknown): boolean {
  return provider === NO_PROVIDER || partNameOf(provider) === 'NoopTracerProvider';
}

/** Name of an object's class, without the number that bundlers append to names that occur twice. */
export function partNameOf(value: unknown): string | undefined {
  return readString(readProperty(value, 'constructor'), 'name')?.replace(/\$\d+$/, '') || undefined;
}
