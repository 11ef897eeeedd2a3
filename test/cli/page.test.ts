import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { EventStore } from '../../src/cli/dev/event-store.js';
import { type DevServer, startDevServer } from '../../src/cli/dev/server.js';
import { envelopeBytes, postEnvelope } from '../support/envelope-bytes.js';
import { CHROMIUM } from './chromium.js';
import { createError, createShopEvents, hostileEvent, toEnvelope } from './page-events.js';

/** Where screenshots are kept, if anywhere. */
const SCREENSHOTS = process.env['SCREENSHOTS'];

let browser: Browser;

beforeAll(async () => {
  if (CHROMIUM) browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}, 60_000);

afterAll(() => browser?.close());

async function open(
  colorScheme: 'light' | 'dark' = 'light',
): Promise<{ server: DevServer; page: Page; problems: string[] }> {
  const server = await startDevServer({
    port: 0,
    store: new EventStore('/shop'),
    folder: '/shop',
    files: join(process.cwd(), 'dist'),
    onReceived: () => undefined,
  });
  onTestFinished(() => server.close());
  const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 800 } });
  onTestFinished(() => page.close());
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('dialog', (dialog) => {
    problems.push(`dialog ${dialog.message()}`);
    dialog.dismiss().then(undefined, () => undefined);
  });
  await page.goto(server.url);
  return { server, page, problems };
}

async function send({ dsn }: DevServer, ...events: Record<string, unknown>[]): Promise<void> {
  for (const event of events) expect((await postEnvelope({ dsn }, toEnvelope(event))).statusCode).toBe(200);
}

async function shoot(page: Page, name: string): Promise<void> {
  if (!SCREENSHOTS) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}

describe.skipIf(!CHROMIUM)(`the page in Chromium${CHROMIUM ? '' : ', which is not on this machine'}`, () => {
  it('says how to begin while nothing has arrived', async () => {
    const { server, page } = await open();
    await page.getByText('Waiting for the first event').waitFor();
    expect(await page.locator('.welcome').innerText()).toContain(server.dsn);
    await shoot(page, 'empty');
  });

  it.each(['light', 'dark'] as const)(
    'shows an error with stack, source, breadcrumbs, tags and trace, %s',
    async (colors) => {
      const { server, page, problems } = await open(colors);
      await send(server, ...createShopEvents());
      await page.getByText('CardError: card expired').first().click();
      await page.locator('.source .culprit').first().waitFor();
      expect(await page.locator('.source .culprit code').first().innerText()).toContain('throw new CardError');
      expect(await page.locator('h1').innerText()).toBe('CardError');
      await page.locator('.event-trace .span').first().waitFor();
      const text = await page.locator('.event').innerText();
      for (const part of [
        'caused by',
        'cart was opened',
        'region',
        'eu-west',
        'http://shop.example/checkout',
        'charge',
      ]) {
        expect(text.toLowerCase()).toContain(part.toLowerCase());
      }
      expect(await page.locator('.row[aria-current="true"] .count').innerText()).toBe('2');
      await shoot(page, `error-${colors}`);
      expect(problems).toEqual([]);
    },
  );

  it.each(['light', 'dark'] as const)('shows a trace over two services with its error, %s', async (colors) => {
    const { server, page, problems } = await open(colors);
    await send(server, ...createShopEvents());
    await page.getByRole('link', { name: /Traces/ }).click();
    await page.locator('.row', { hasText: 'POST /checkout' }).click();
    await page.locator('.span').first().waitFor();
    const names = await page.locator('.span-name').allInnerTexts();
    expect(names.map((name) => name.trim())).toEqual([
      'http.server POST /checkout',
      'db.query SELECT cart',
      'http.client POST http://payment/charge',
      'http.server POST /charge',
      'db.query SELECT card',
      'work render receipt',
    ]);
    await page.locator('.span', { hasText: 'SELECT card' }).click();
    expect(await page.locator('aside').innerText()).toContain('db.system');
    await shoot(page, `trace-${colors}`);
    await page.locator('.span-error').first().click();
    await page.locator('h1', { hasText: 'CardError' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('shows what arrives at once, and finds it by words, tags and files', async () => {
    const { server, page } = await open();
    await send(server, createError(1, { tags: { region: 'eu' } }));
    await page.locator('.row').waitFor();
    await send(server, createError(2, { tags: { region: 'us' } }));
    await page.locator('.row').nth(1).waitFor();
    await page.getByLabel('Search').fill('region:us');
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    expect(await page.locator('.row-title').innerText()).toContain('Error2');
    await page.getByLabel('Search').fill('file1.js');
    await expect.poll(() => page.locator('.row-title').innerText()).toContain('Error1');
  });

  it('keeps hostile content inert', async () => {
    const { server, page, problems } = await open();
    await send(server, hostileEvent());
    await page.locator('.row').click();
    await page.locator('h1').waitFor();
    expect(await page.locator('h1').innerText()).toContain('<img src=x onerror=alert(1)>');
    expect(await page.locator('.value').innerText()).toMatch(/^<script>alert\(1\)<\/script>\\u\{1b\}\[2J\\u\{202e\}/);
    expect(await page.locator('.value').innerText()).toContain('characters; the raw event has all');
    expect(await page.locator('img, .event script, iframe, a[href^="javascript:"]').count()).toBe(0);
    expect(await page.evaluate(() => (globalThis as { pwned?: unknown }).pwned)).toBeUndefined();
    await shoot(page, 'hostile');
    expect(problems).toEqual([]);
  });

  it('holds 10,000 events, keeps only visible rows in the document, and draws without a stutter', async () => {
    const { server, page, problems } = await open('dark');
    const items = Array.from({ length: 10_000 }, (_, i) => createError(i));
    for (let i = 0; i < items.length; i += 500) {
      const body = envelopeBytes(
        { event_id: items[i]!['event_id'] },
        ...items.slice(i, i + 500).map((item) => [{ type: 'event' }, JSON.stringify(item)] as [object, string]),
      );
      await postEnvelope(server, body);
    }
    await expect.poll(() => page.locator('nav .count').first().innerText(), { timeout: 15_000 }).toBe('10000');
    expect(await page.locator('.row').count()).toBeLessThan(60);
    // How long the page is busy while the list is scrolled, compared with what a person notices. A busy machine delays one
    // pass or another; a page that stutters does so in each.
    const longest = await page.evaluate(async () => {
      const { document, PerformanceObserver, requestAnimationFrame } = globalThis as never as Record<string, never>;
      const passes = [];
      for (let i = 0; i < 5; i++) passes.push(await measure(document, PerformanceObserver, requestAnimationFrame));
      return Math.min(...passes);
      // biome-ignore lint/suspicious/noExplicitAny: types of the browser are not those of this project
      async function measure(page: any, Observer: any, nextFrame: any): Promise<number> {
        let longestMillis = 0;
        // biome-ignore lint/suspicious/noExplicitAny: as above
        const observer = new Observer((list: any) => {
          for (const { duration } of list.getEntries()) longestMillis = Math.max(longestMillis, duration);
        });
        observer.observe({ type: 'longtask' });
        const list = page.querySelector('.long-list');
        for (let i = 0; i < 60; i++) {
          list.scrollTop = (i / 59) * list.scrollHeight;
          await new Promise((resolve) => nextFrame(resolve));
        }
        observer.disconnect();
        return longestMillis;
      }
    });
    expect(longest).toBeLessThan(200);
    expect(await page.locator('.row-title').last().innerText()).toContain('Error0');
    await page.getByLabel('Search').fill('error777');
    await expect.poll(() => page.locator('nav .count').first().innerText()).toBe('11');
    await page.getByLabel('Search').fill('');
    await page.locator('.row').first().click();
    await page.locator('.source').waitFor();
    await shoot(page, 'ten-thousand');
    expect(problems).toEqual([]);
  }, 60_000);
});
