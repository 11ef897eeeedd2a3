// The storefront, on Express. Notice that the call to the payment service is a plain `fetch`: Faultline adds
// the trace headers, and the spans of both services form one trace.
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { captureException, getActiveSpan, setTag, setUser, startSpan } from 'faultline';
import { serve } from './serve.js';

const PAYMENT_URL = process.env['PAYMENT_URL'];
const PAYMENT_TIMEOUT_MILLIS = Number(process.env['PAYMENT_TIMEOUT_MILLIS'] ?? 3000);
const PRICE = 12.5;

const app = express();
app.use(express.json());

app.use((request, response, next) => {
  setUser({ id: request.get('x-user') });
  response.set('x-trace-id', getActiveSpan()?.spanContext().traceId);
  next();
});

app.get('/products/:id', async (request, response) => {
  setTag('product', request.params.id);
  const product = await startSpan({ name: 'SELECT * FROM products WHERE id = ?', op: 'db.query' }, async () => {
    await sleep(2);
    return { id: request.params.id, price: PRICE };
  });
  response.json(product);
});

app.post('/checkout/:cart', async (request, response) => {
  const { cart } = request.params;
  setTag('cart', cart);
  const amount = await startSpan({ name: 'price the cart', op: 'cart.price' }, async (span) => {
    await sleep(2);
    span.setAttribute('cart.items', request.body.items);
    return request.body.items * PRICE;
  });
  const charge = { user: request.get('x-user'), cart, card: request.body.card, amount };
  const { status, body } = await startSpan({ name: 'pay', op: 'checkout.pay' }, () => pay(charge));
  response.status(status).json(body);
});

/** @param {{ user?: string, cart: string, card: string, amount: number }} charge */
async function pay(charge) {
  try {
    const response = await fetch(`${PAYMENT_URL}/charge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(charge),
      signal: AbortSignal.timeout(PAYMENT_TIMEOUT_MILLIS),
    });
    return { status: response.status, body: await response.json() };
  } catch (cause) {
    captureException(new Error(`no answer from payment for ${charge.cart}`, { cause }));
    return { status: 504, body: { error: 'payment timed out' } };
  }
}

serve(http.createServer(app));
