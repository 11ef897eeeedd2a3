// An exception with ten frames and their source lines, on a scope with ten tags and a hundred breadcrumbs: from `new Error`
// until the bytes are handed over. Making the error and throwing it through ten functions costs all systems the same, and
// is included. Each message is another one: of equal errors, a system may send some only.

const FRAMES = 10;
const TAGS = 10;
const BREADCRUMBS = 100;

export const title = 'an exception: 10 frames with source lines, 10 tags, 100 breadcrumbs';
export const goal = { of: 'peer', max: 0.2 };
export const setup = {};
export const systems = ['sentry', 'faultline'];
export const warmUpOperations = 5000;
export const operations = 5000;
export const expectedDeliveries = operations;

/** @param {import('../measure.js').System} system */
export function prepare(system) {
  // Just the functions below, whatever limit a system asks for.
  Error.stackTraceLimit = FRAMES;
  for (let i = 0; i < TAGS; i++) system.setTag(`tag-${i}`, `value ${i}`);
  for (let i = 0; i < BREADCRUMBS; i++) system.addBreadcrumb(createBreadcrumb(i));
  let id = 0;
  return () => {
    try {
      handleRequest(id++);
    } catch (error) {
      system.captureException(error);
    }
  };
}

function createBreadcrumb(index) {
  return { category: 'query', level: 'info', message: `step ${index} done`, data: { rows: index, table: 'orders' } };
}

function handleRequest(id) {
  return authenticate(id);
}

function authenticate(id) {
  return route(id);
}

function route(id) {
  return parseBody(id);
}

function parseBody(id) {
  return loadOrder(id);
}

function loadOrder(id) {
  return checkStock(id);
}

function checkStock(id) {
  return reserveItems(id);
}

function reserveItems(id) {
  return chargeCard(id);
}

function chargeCard(id) {
  return callBank(id);
}

function callBank(id) {
  return readAnswer(id);
}

function readAnswer(id) {
  throw new Error(`The bank did not answer to order ${id}`);
}

/** Texts that the payload of one operation contains, and how often. */
export const content = [
  ...createNames(TAGS, (i) => `"tag-${i}":"value ${i}"`),
  ...createNames(BREADCRUMBS, (i) => `"message":"step ${i} done"`),
  ...[handleRequest, authenticate, route, parseBody, loadOrder].map(asFrame),
  ...[checkStock, reserveItems, chargeCard, callBank, readAnswer].map(asFrame),
  ['"value":"The bank did not answer to order ', 1],
  ['"pre_context":[', FRAMES],
];

function createNames(count, createName) {
  return Array.from({ length: count }, (_, i) => [createName(i), 1]);
}

function asFrame({ name }) {
  return [`"function":"${name}"`, 1];
}
