/**
 * Where an application is mounted in another one, which has taken that part off the path and left a slash.
 *
 * @param path within the mounted application
 * @param whole the path of the request
 * @returns the part that was taken off; `undefined` if the path is not an end of the whole one
 */
export function mountOf(path: string | undefined, whole: string | undefined): string | undefined {
  if (path === undefined || whole === undefined) return undefined;
  if (whole.endsWith(path)) return whole.slice(0, whole.length - path.length);
  return path === '/' ? whole : undefined;
}
