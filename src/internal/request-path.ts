/** The path of a request's target without its query, and without the host that a client may put before it. */
export function pathOfTarget(target: string): string {
  const begin = target.startsWith('/') ? 0 : (/^\w+:\/\/[^/?#]*/.exec(target)?.[0].length ?? 0);
  const end = target.slice(begin).search(/[?#]/);
  return target.slice(begin, end < 0 ? undefined : begin + end) || '/';
}
