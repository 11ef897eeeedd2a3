/** `Partial<T>` whose members may also be `undefined` under `exactOptionalPropertyTypes`. */
export type Optional<T> = { [Member in keyof T]?: T[Member] | undefined };
