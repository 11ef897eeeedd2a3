/** Names of up to this length may differ by one edit only, because short names are close to many others. */
const SHORT = 5;

/**
 * Finds the name that was probably meant: the closest one, at most two edits away (four, for long names), else the only
 * one that begins with it. Case does not count.
 */
export function findClosestName(name: string, names: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const maxEdits = wanted.length <= SHORT ? 1 : Math.max(2, Math.min(Math.floor(wanted.length / 3), 4));
  let closest: string | undefined;
  let fewest = maxEdits + 1;
  for (const candidate of names) {
    if (Math.abs(candidate.length - wanted.length) >= fewest) continue;
    const edits = countEdits(wanted, candidate.toLowerCase());
    if (edits < fewest) [closest, fewest] = [candidate, edits];
  }
  if (closest !== undefined) return closest;
  const longer = wanted.length < SHORT ? [] : names.filter((one) => one.toLowerCase().startsWith(wanted));
  return longer.length === 1 ? longer[0] : undefined;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one string into the other. */
function countEdits(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}
