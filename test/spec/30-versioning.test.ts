import { describe, expect, it } from 'vitest';
import { captureMessage, startSpan } from '../../src/index.js';
import { sendEvent, sendTransaction } from './send.js';

const APPLICATION = { release: 'shop@1.4.0', dist: '42' };

describe('Versioning', () => {
  it('release and dist identify the version of the application', async () => {
    const event = await sendEvent(() => captureMessage('m'), APPLICATION);
    const transaction = await sendTransaction(() => startSpan({ name: 'a' }, () => undefined), APPLICATION);
    expect([event, transaction]).toMatchObject([APPLICATION, APPLICATION]);
  });

  it('release and dist do not touch the version of the interface, which events name by itself', async () => {
    const given = await sendEvent(() => captureMessage('m'), APPLICATION);
    const without = await sendEvent(() => captureMessage('m'));
    expect(given.sdk.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(given.sdk.version).toBe(without.sdk.version);
    expect([without.release, without.dist]).toEqual([undefined, undefined]);
  });
});
