import { describe, expect, it } from 'vitest';
import { addBreadcrumb, type Breadcrumb, captureMessage, withIsolationScope } from '../../src/index.js';
import { sendEvent } from './send.js';

async function sendBreadcrumb(breadcrumb: Breadcrumb): Promise<Breadcrumb> {
  const event = await sendEvent(() =>
    withIsolationScope(() => {
      addBreadcrumb(breadcrumb);
      captureMessage('m');
    }),
  );
  expect(event.breadcrumbs).toHaveLength(1);
  return event.breadcrumbs![0]!;
}

describe('Breadcrumb', () => {
  it.each<[title: string, breadcrumb: Breadcrumb]>([
    ['type is a string', { type: 'http' }],
    ['category is a string', { category: 'cart.add' }],
    ['message is a string', { message: 'item added' }],
    ['level is a SeverityLevel', { level: 'warning' }],
    ['data is a map', { data: { sku: 'A-1', count: 2 } }],
    ['timestamp is Unix time in seconds', { timestamp: 1_700_000_000.25 }],
  ])('%s', async (_, breadcrumb) => {
    const { timestamp, ...rest } = await sendBreadcrumb(breadcrumb);
    expect({ timestamp, ...rest }).toEqual({ timestamp, ...breadcrumb });
    expect(timestamp).toEqual(expect.any(Number));
  });

  it('timestamp is now when it is absent', async () => {
    const before = Date.now() / 1000;
    const { timestamp } = await sendBreadcrumb({ message: 'm' });
    expect(timestamp).toBeGreaterThanOrEqual(before - 0.002);
    expect(timestamp).toBeLessThanOrEqual(Date.now() / 1000);
  });
});
