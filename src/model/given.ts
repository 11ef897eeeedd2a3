/** Some members of a type; one that is `undefined` counts as absent, with `exactOptionalPropertyTypes`, too. */
export type Given<T> = { [Member in keyof T]?: T[Member] | undefined };
