/** Assigns a property. `__proto__` becomes a property like any other and does not change the prototype. */
export function setOwn(target: object, key: string | number, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (target as Record<string | number, unknown>)[key] = value;
  }
}
