let calls = 0;

/** Counts calls of the package's functions and methods that the tests of a file make. */
export function countCalls(count: number): void {
  calls += count;
}

export function countedCalls(): number {
  return calls;
}
