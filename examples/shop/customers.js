/** @typedef {'product' | 'paid' | 'declined' | 'timeout'} Kind */

/**
 * What one customer does. It depends only on the customer's number, so that the expected failures are known beforehand.
 *
 * @typedef {object} Plan
 * @property {Kind} kind
 * @property {string} user
 * @property {string} method
 * @property {string} path
 * @property {string} tag the tag that the services set for this request only
 * @property {string} tagValue
 * @property {string} [body]
 * @property {number} expectedStatus
 */

/** @typedef {Plan & { status: number, traceId: string }} Visit a plan that was carried out, with the trace id that the service returned */

const TIMEOUT_NUMBER = 7;
const DECLINED_EVERY = 10;
const PRODUCT_EVERY = 3;

/** @type {Record<Kind, { card?: string, expectedStatus: number }>} */
const OUTCOMES = {
  product: { expectedStatus: 200 },
  paid: { card: 'good', expectedStatus: 200 },
  declined: { card: 'expired', expectedStatus: 402 },
  timeout: { card: 'slow', expectedStatus: 504 },
};

/**
 * @param {number} count at least 10 to have one of each kind
 * @returns {Plan[]}
 */
export function customers(count) {
  return Array.from({ length: count }, (_, index) => planOf(index + 1));
}

/**
 * @param {number} number
 * @returns {Plan}
 */
function planOf(number) {
  const kind = kindOf(number);
  const { card, expectedStatus } = OUTCOMES[kind];
  const user = `user-${number}`;
  if (kind === 'product') {
    const tagValue = `product-${number}`;
    return { kind, user, method: 'GET', path: `/products/${tagValue}`, tag: 'product', tagValue, expectedStatus };
  }
  const tagValue = `cart-${number}`;
  const body = JSON.stringify({ card, items: 1 + (number % 4) });
  return { kind, user, method: 'POST', path: `/checkout/${tagValue}`, tag: 'cart', tagValue, body, expectedStatus };
}

/**
 * @param {number} number
 * @returns {Kind}
 */
function kindOf(number) {
  if (number === TIMEOUT_NUMBER) return 'timeout';
  if (number % DECLINED_EVERY === 0) return 'declined';
  return number % PRODUCT_EVERY === 0 ? 'product' : 'paid';
}

/**
 * Sends the requests of all customers.
 *
 * @param {string} url of the storefront
 * @param {Plan[]} plans
 * @param {number} concurrency how many run at the same time
 * @returns {Promise<Visit[]>}
 */
export async function sendAll(url, plans, concurrency) {
  const waiting = plans.values();
  /** @type {Visit[]} */
  const visits = [];
  const work = async () => {
    for (const plan of waiting) visits.push(await send(url, plan));
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return visits;
}

/**
 * @param {string} url
 * @param {Plan} plan
 * @returns {Promise<Visit>}
 */
async function send(url, plan) {
  const { method, path, body, user } = plan;
  const headers = { 'x-user': user, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(url + path, { method, headers, body });
  await response.arrayBuffer();
  return { ...plan, status: response.status, traceId: response.headers.get('x-trace-id') ?? 'none' };
}
