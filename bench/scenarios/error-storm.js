// 20,000 different errors in one turn of the event loop, so that nothing leaves meanwhile: the calls of the second half, when
// the queue has been full for long. Errors are made before, and nobody has read their stacks.

export const title = 'one of 20,000 errors in a row, once the queue is full';
export const goal = { of: 'figure', max: 10 };
export const script = 'storm.js';
export const setup = { bufferSize: 1000 };
export const systems = ['sentry', 'faultline'];
export const operations = 20_000;

export function createError(id) {
  return new Error(`order ${id} is lost`);
}
