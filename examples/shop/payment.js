// The payment service, on plain node:http. Notice that the request handler has no tracing code: the storefront's trace
// arrives with the request, and user and tags belong to this request although many run at the same time.
import { once } from 'node:events';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { captureException, setTag, setUser, startSpan } from 'faultline';
import { serve } from './serve.js';

const BANK_MILLIS = 5;

class CardError extends Error {
  name = 'CardError';
}

class ChargeError extends Error {
  name = 'ChargeError';
}

/** @typedef {{ user: string, cart: string, card: string, amount: number }} Charge */

serve(http.createServer((request, response) => void handle(request, response)));

/**
 * @param {http.IncomingMessage} request
 * @param {http.ServerResponse} response
 */
async function handle(request, response) {
  if (request.method !== 'POST' || request.url !== '/charge') return answer(response, 404, { error: 'not found' });
  const charge = /** @type {Charge} */ (await json(request));
  setUser({ id: charge.user });
  setTag('cart', charge.cart);
  try {
    answer(response, 200, await settle(charge, () => once(response, 'close')));
  } catch (error) {
    // The error was captured when it left the first of two spans. Capturing it again here sends no second event.
    captureException(error);
    answer(response, 402, { error: /** @type {Error} */ (error).message });
  }
}

/**
 * @param {Charge} charge
 * @param {() => Promise<unknown>} untilGone resolves when the customer gives up
 */
function settle(charge, untilGone) {
  const attributes = { 'payment.amount': charge.amount };
  return startSpan({ name: 'settle payment', op: 'payment.settle', attributes }, async () => {
    await startSpan({ name: 'SELECT * FROM accounts', op: 'db.query' }, () => sleep(1));
    return startSpan({ name: 'charge card', op: 'payment.charge' }, async () => {
      try {
        return await askBank(charge, untilGone);
      } catch (cause) {
        throw new ChargeError(`charge of ${charge.cart} declined`, { cause });
      }
    });
  });
}

/**
 * @param {Charge} charge
 * @param {() => Promise<unknown>} untilGone
 */
async function askBank({ card, amount }, untilGone) {
  await sleep(BANK_MILLIS);
  if (card === 'expired') throw new CardError('card expired', { cause: new RangeError('month 13 is out of range') });
  // A bank that never answers: the wait ends when the customer gives up.
  if (card === 'slow') await untilGone();
  return { charged: amount };
}

/**
 * @param {http.ServerResponse} response
 * @param {number} statusCode
 * @param {object} body
 */
function answer(response, statusCode, body) {
  if (response.destroyed) return;
  response.writeHead(statusCode, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
