let seeded: (() => number) | undefined;

/**
 * Replaces the random numbers of ids and sampling, so that a test gets the same ones in each run.
 *
 * @param random returns numbers in [0, 1); `undefined` restores real randomness
 */
export function seedRandomness(random: (() => number) | undefined): void {
  seeded = random;
}

/** A number in [0, 1). */
export function drawRandom(): number {
  return seeded ? seeded() : Math.random();
}

/** @returns `undefined` unless randomness is seeded; never only zeros, which is not a valid id */
export function drawSeededHex(digits: number): string | undefined {
  if (!seeded) return undefined;
  let hex = '';
  while (hex.length < digits)
    hex += Math.floor(seeded() * 0xffff + 1)
      .toString(16)
      .padStart(4, '0');
  return hex;
}
