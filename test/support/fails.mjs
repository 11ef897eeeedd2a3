export function fail() {
  throw new Error('failed');
}
