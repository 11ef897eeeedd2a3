import { types } from 'node:util';
import { pathOfTarget } from '../../../internal/request-path.js';
import { isArray, readProperty, readString } from '../../../internal/values/read.js';
import { decodePercents } from '../../../internal/values/strings.js';

/** Deeper mounts are not followed. */
const MAX_DEPTH = 10;

/**
 * The route that Express (4 or 5), or a router like it, has matched for a request, with the paths at which its routers
 * are mounted: `/orgs/:org/users/:id`. Express itself keeps only the inner pattern and the path of the mounts.
 *
 * @param received path of the request, as the client has sent it
 */
export function readExpressRoute(request: object, received: string): string | undefined {
  const route = readProperty(request, 'route');
  const pattern = formatPattern(readProperty(route, 'path'));
  if (pattern === undefined) return undefined;
  // Code before the router may have given the request another URL.
  const original = readString(request, 'originalUrl');
  const path = original === undefined ? received : pathOfTarget(original);
  const app = readProperty(request, 'app');
  const outer = patternOfApp(app, 0);
  const stack = stackOf(readProperty(app, 'router')) ?? stackOf(readProperty(app, '_router')) ?? [];
  const find = (one: string) => findMounts(stack, route, withoutSegments(one, outer), 0);
  const inner = find(path) ?? find(rewrittenPath(request));
  const mount =
    inner === undefined ? (mountOfApp(stack, path, pattern) ?? mountOf(request, path, pattern)) : outer + inner;
  return pattern === '/' && mount !== '' ? mount : mount + pattern;
}

/** The path that routers match now: middleware may have given the request another URL. */
function rewrittenPath(request: object): string {
  const [baseUrl = '', url = ''] = [readString(request, 'baseUrl'), readString(request, 'url')];
  return baseUrl + url.split('?', 1)[0];
}

/** Where an application is mounted in another one. */
function patternOfApp(app: unknown, depth: number): string {
  const parent = readProperty(app, 'parent');
  if (!parent || depth > MAX_DEPTH) return '';
  const mount = readProperty(app, 'mountpath');
  return patternOfApp(parent, depth + 1) + (typeof mount === 'string' && mount !== '/' ? mount : '');
}

/** The path without as many segments as the pattern has. */
function withoutSegments(path: string, pattern: string): string {
  const count = pattern.split('/').length - 1;
  const rest = path.split('/').slice(count + 1);
  return count === 0 ? path : `/${rest.join('/')}`;
}

/** The mount path of an application, for an error handler of the outer application, which has no reference to it. */
function mountOfApp(stack: readonly unknown[], path: string, pattern: string): string | undefined {
  for (const layer of stack) {
    const match = readProperty(readProperty(layer, 'handle'), 'name') === 'mounted_app' && matchLayer(layer, path);
    if (match && match.path !== '' && fits(path, match.path, pattern)) {
      return match.pattern + pathBefore(path.slice(match.path.length), pattern);
    }
  }
  return undefined;
}

/**
 * Where a router is mounted whose application is unknown: its `baseUrl`, or the path before the route once the request
 * has left the router.
 */
function mountOf(request: object, path: string, pattern: string): string {
  const baseUrl = readString(request, 'baseUrl');
  return baseUrl && fits(path, baseUrl, pattern) ? baseUrl : pathBefore(path, pattern);
}

/** The path before a route, as far as its pattern says how many segments the route has. */
function pathBefore(path: string, pattern: string): string {
  if (/[*{?(,]/.test(pattern)) return '';
  const parts = partsOf(path);
  const mounted = parts.slice(0, Math.max(parts.length - partsOf(pattern).length, 0));
  return mounted.map((part) => `/${part}`).join('');
}

/** Whether the pattern begins where the mount ends. Nest passes the whole pattern to its middleware as the route. */
function fits(path: string, baseUrl: string, pattern: string): boolean {
  const required = partsOf(pattern).filter((part) => !/[*?{}]/.test(part));
  return partsOf(baseUrl).length + required.length <= partsOf(path).length;
}

function partsOf(path: string): string[] {
  return path.split('/').filter(Boolean);
}

/** A regular expression is used as text: hard to read, but the same for all requests. */
function formatPattern(path: unknown): string | undefined {
  if (typeof path === 'string') return path;
  if (types.isRegExp(path)) return String(path);
  return isArray(path) && path.length > 0 ? path.map(String).join(',') : undefined;
}

function stackOf(router: unknown): readonly unknown[] | undefined {
  const stack = readProperty(router, 'stack');
  return isArray(stack) ? stack : undefined;
}

/** The patterns of the routers on the way to a route; `undefined` if it is not below this stack. */
function findMounts(stack: readonly unknown[], route: unknown, path: string, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (stack.some((layer) => readProperty(layer, 'route') === route)) return '';
  for (const layer of stack) {
    const inner = stackOf(readProperty(layer, 'handle'));
    const match = inner && matchLayer(layer, path);
    if (!match) continue;
    const mounts = findMounts(inner, route, path.slice(match.path.length) || '/', depth + 1);
    if (mounts !== undefined) return match.pattern + mounts;
  }
  return undefined;
}

interface Match {
  /** The beginning of the request's path. */
  readonly path: string;
  /** The same with the names of parameters. */
  readonly pattern: string;
}

/** Uses the matchers of a layer, which keep nothing, rather than its method `match`. */
function matchLayer(layer: unknown, path: string): Match | undefined {
  const regexp = readProperty(layer, 'regexp');
  if (types.isRegExp(regexp)) {
    if (readProperty(regexp, 'fast_slash') === true) return { path: '', pattern: '' };
    const found = regexp.exec(path);
    const keys = readProperty(layer, 'keys');
    if (!found || !isArray(keys)) return undefined;
    return describeMatch(
      found[0],
      keys.map((key, i) => [String(readProperty(key, 'name')), found[i + 1]]),
    );
  }
  if (readProperty(layer, 'slash') === true) return { path: '', pattern: '' };
  const matchers = readProperty(layer, 'matchers');
  for (const matcher of isArray(matchers) ? matchers : []) {
    const found = (matcher as (path: string) => { path: string; params: object } | false)(path);
    if (found) return describeMatch(found.path, Object.entries(found.params));
  }
  return undefined;
}

function describeMatch(matched: string, params: readonly (readonly [name: string, value: unknown])[]): Match {
  const path = matched.replace(/\/$/, '');
  const rest = [...params];
  const segments = path.split('/').map((segment) => {
    const index = rest.findIndex(([, value]) => value === segment || value === decodePercents(segment));
    return segment !== '' && index >= 0 ? `:${rest.splice(index, 1)[0]![0]}` : segment;
  });
  return { path, pattern: segments.join('/') };
}
