// An event of 1 MB, as large as servers take: source lines, breadcrumbs, attached data and the body of a request.

export const title = 'the longest turn of the event loop for an event of 1 MB';
export const goal = { of: 'figure', max: 2000 };
export const script = 'turns.js';
export const setup = {};
export const systems = ['sentry', 'faultline'];
export const operations = 20;

const ROWS = 400;
const ROW_BYTES = 1000;
const BODY_BYTES = 500_000;

/** @param id makes the event another one each time */
export function createEvent(id) {
  return {
    message: `import ${id} failed`,
    request: { url: 'http://localhost/import', method: 'POST', data: 'name;amount\n'.repeat(BODY_BYTES / 12) },
    breadcrumbs: Array.from({ length: 100 }, (_, i) => ({ message: `step ${i}`, data: { line: 'y'.repeat(900) } })),
    extra: { rows: Array.from({ length: ROWS }, (_, i) => createRow(i)) },
  };
}

function createRow(index) {
  return { index, name: `row ${index}`, ok: index % 2 === 0, text: 'x'.repeat(ROW_BYTES) };
}
