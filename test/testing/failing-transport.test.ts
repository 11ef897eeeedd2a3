import { afterEach, describe, expect, it } from 'vitest';
import { captureException, captureMessage, flush } from '../../src/index.js';
import { failingTransport, recordEvents, reset } from '../../src/testing/testing.js';

afterEach(reset);

describe('failingTransport', () => {
  it('records what it accepts, after it has refused', async () => {
    const sent = recordEvents({ transport: failingTransport({ first: ['refused', 503, 504] }) });
    captureException(new Error('broken'));
    expect((await sent.next('error', 'broken', { timeoutMillis: 15_000 })).level).toBe('error');
    expect(sent.discarded).toEqual([]);
  });

  it('discards what a status refuses for good', async () => {
    const sent = recordEvents({ transport: failingTransport({ later: 400 }) });
    captureMessage('unwanted');
    expect(await sent.flush()).toBe(false);
    expect(sent.messages).toEqual([]);
    expect(sent.discarded).toMatchObject([{ reason: 'send_error', category: 'error', quantity: 1 }]);
  });

  it('may be silent', async () => {
    const sent = recordEvents({ transport: failingTransport({ later: 'silent' }) });
    captureMessage('unheard');
    expect(await flush(20)).toBe(false);
    expect(sent.messages).toEqual([]);
  });

  it('does not send again without retries', async () => {
    const sent = recordEvents({ transport: failingTransport({ first: ['refused'], retries: false }) });
    captureMessage('lost');
    expect(await sent.flush()).toBe(false);
    expect(sent.discarded).toMatchObject([{ reason: 'network_error', quantity: 1 }]);
  });

  it('answers late', async () => {
    const sent = recordEvents({ transport: failingTransport({ delayMillis: 20 }) });
    captureMessage('late');
    expect(sent.messages).toEqual([]);
    expect(await sent.flush()).toBe(true);
    expect(sent.messages).toHaveLength(1);
  });
});
