/**
 * Returns `name`, or `name 2`, `name 3` and so on if the object already has it. Searches by doubling and bisection, because
 * thousands of names may collide.
 */
export function freeName(target: object, name: string): string {
  if (!Object.hasOwn(target, name)) return name;
  const isFree = (number: number) => !Object.hasOwn(target, `${name} ${number}`);
  let free = 2;
  while (!isFree(free)) free *= 2;
  let taken = free / 2;
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (isFree(middle)) free = middle;
    else taken = middle;
  }
  return `${name} ${free}`;
}
