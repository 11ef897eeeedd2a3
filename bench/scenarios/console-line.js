// A line that a service logs and no event contains: what is kept for the next event. The line itself is not written.

export const title = 'a line of the console that no event contains';
export const goal = { of: 'peer', max: 1 };
export const setup = {};
export const systems = ['sentry', 'faultline'];
export const warmUpOperations = 20_000;
export const operations = 50_000;
export const expectedDeliveries = 0;
export const content = [];

// Before the setup, which wraps it.
console.log = () => {};

export function prepare() {
  let id = 0;
  return () => console.log('GET /orders/%d took %d ms', id++, 12);
}
