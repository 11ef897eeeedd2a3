// An exception with ten frames, on a scope with ten tags and a hundred breadcrumbs: from `new Error` until the bytes are
// handed over. Making the error and throwing it through ten functions costs all systems the same, and is included.

const FRAMES = 10;
const TAGS = 10;
const BREADCRUMBS = 100;

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
  return () => {
    try {
      handleRequest(system);
    } catch (error) {
      system.captureException(error);
    }
  };
}

function createBreadcrumb(index) {
  return { category: 'query', level: 'info', message: `step ${index} done`, data: { rows: index, table: 'orders' } };
}

function handleRequest(system) {
  return authenticate(system);
}

function authenticate(system) {
  return route(system);
}

function route(system) {
  return parseBody(system);
}

function parseBody(system) {
  return loadOrder(system);
}

function loadOrder(system) {
  return checkStock(system);
}

function checkStock(system) {
  return reserveItems(system);
}

function reserveItems(system) {
  return chargeCard(system);
}

function chargeCard(system) {
  return callBank(system);
}

function callBank(system) {
  return readAnswer(system);
}

function readAnswer() {
  throw new Error('The bank did not answer');
}

/** Texts that the payload of one operation contains, and how often. */
export const content = [
  ...createNames(TAGS, (i) => `"tag-${i}":"value ${i}"`),
  ...createNames(BREADCRUMBS, (i) => `"message":"step ${i} done"`),
  ...[handleRequest, authenticate, route, parseBody, loadOrder].map(asFrame),
  ...[checkStock, reserveItems, chargeCard, callBank, readAnswer].map(asFrame),
  ['"value":"The bank did not answer"', 1],
];

function createNames(count, createName) {
  return Array.from({ length: count }, (_, i) => [createName(i), 1]);
}

function asFrame({ name }) {
  return [`"function":"${name}"`, 1];
}
