import { useEffect, useState } from 'preact/hooks';

/** What the address names: a tab, and what is open in it. */
export type Route =
  | { readonly tab: 'issues'; readonly group?: string | undefined; readonly number?: number | undefined }
  | { readonly tab: 'traces'; readonly traceId?: string | undefined };

function readRoute(hash: string): Route {
  const [tab, first, second] = hash.replace(/^#\/?/, '').split('/').map(decode);
  if (tab === 'traces') return { tab, traceId: first || undefined };
  return { tab: 'issues', group: first || undefined, number: /^\d+$/.test(second ?? '') ? Number(second) : undefined };
}

export function linkTo(route: Route): string {
  if (route.tab === 'traces') return `#/traces${route.traceId ? `/${encodeURIComponent(route.traceId)}` : ''}`;
  const { group, number } = route;
  return `#/issues${group ? `/${encodeURIComponent(group)}${number === undefined ? '' : `/${number}`}` : ''}`;
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return readRoute(hash);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
