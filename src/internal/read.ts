/** A property of any value; `undefined` where it cannot be read, be it a getter that throws or a revoked proxy. */
export function readProperty(target: unknown, key: PropertyKey): unknown {
  try {
    return (target as Record<PropertyKey, unknown> | null | undefined)?.[key];
  } catch {
    return undefined;
  }
}

/** Like {@link readProperty}, for what is only of use as a string. */
export function readString(target: unknown, key: PropertyKey): string | undefined {
  const value = readProperty(target, key);
  return typeof value === 'string' ? value : undefined;
}

/** Whether a value is an array; a revoked proxy of one is not. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}
