/** A name that an object has no member of: names that became the same are numbered. */
export function freeName(target: object, name: string): string {
  if (!Object.hasOwn(target, name)) return name;
  for (let number = 2; ; number++) {
    const numbered = `${name} ${number}`;
    if (!Object.hasOwn(target, numbered)) return numbered;
  }
}
