/** Compiles where the value is of the type; never called. */
export declare function expectType<T>(value: T): void;
