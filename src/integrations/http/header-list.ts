/** Headers as a flat list of names and values, spelled as they are sent. */
type HeaderList = readonly unknown[];

/** Returns all values of a header; `undefined` if there is none. @param name in lower case */
export function valuesIn(headers: HeaderList, name: string): string[] | undefined {
  const values: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (isNamed(headers[i], name)) values.push(...[headers[i + 1]].flat().map(String));
  }
  return values.length > 0 ? values : undefined;
}

/** Removes a header. @returns the same list if it does not contain the header */
export function without<T extends HeaderList>(headers: T, name: string): T {
  if (!valuesIn(headers, name)) return headers;
  return headers.filter((_, i) => !isNamed(headers[i - (i % 2)], name)) as unknown as T;
}

function isNamed(header: unknown, name: string): boolean {
  return String(header).toLowerCase() === name;
}
