const FACTOR = 8;
const RUNS = 3;
/** Less CPU time than this is noise. */
const MIN_MICROS = 500;

/**
 * How many times the CPU time of some work grows when its input grows eightfold: about 1 if the input is cut first, 8 if
 * the work is linear, 64 if it is quadratic. The least of several runs counts, so that a busy machine makes no difference.
 *
 * @param prepare makes an input; its time does not count
 */
export function growthOf<Input>(size: number, prepare: (size: number) => Input, work: (input: Input) => void): number {
  const timeOf = (input: Input) => Math.min(...Array.from({ length: RUNS }, () => cpuMicrosOf(() => work(input))));
  const small = timeOf(prepare(size));
  return timeOf(prepare(size * FACTOR)) / Math.max(small, MIN_MICROS);
}

/** Microseconds of CPU time that a call takes. */
export function cpuMicrosOf(call: () => unknown): number {
  const begin = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(begin);
  return user + system;
}
