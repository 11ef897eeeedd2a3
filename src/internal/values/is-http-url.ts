/** Whether a string is an absolute URL with `http:` or `https:`. The URL parser takes `localhost:8969` for a protocol. */
export function isHttpUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
