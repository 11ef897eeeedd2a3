/** Assigns a property. `__proto__` becomes a property like any other and does not change the prototype. */
export function setOwn(target: object, key: string | number, value: unknown): void {
  if (key === '__proto__') {
    define(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (target as Record<string | number, unknown>)[key] = value;
  }
}

/** `Object.defineProperty` with a descriptor that inherits nothing: a `get` added to `Object.prototype` would make it throw. */
export function define(target: object, key: PropertyKey, descriptor: PropertyDescriptor): void {
  Object.defineProperty(target, key, Object.assign(Object.create(null), descriptor));
}
