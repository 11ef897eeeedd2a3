import { describe, expect, it } from 'vitest';
import { type Attachment, captureMessage, withScope } from '../../src/index.js';
import type { ReceivedItem } from '../support/receiver.js';
import { send } from './send.js';

async function sendAttachment(attachment: Attachment): Promise<ReceivedItem> {
  const receiver = await send(() =>
    withScope((scope) => {
      scope.addAttachment(attachment);
      captureMessage('m');
    }),
  );
  expect(receiver.attachments).toHaveLength(1);
  return receiver.attachments[0]!;
}

describe('Attachment', () => {
  it('filename is sent', async () => {
    expect((await sendAttachment({ filename: 'cart.json', data: '{}' })).headers.filename).toBe('cart.json');
  });

  it('data may be a string, sent as UTF-8', async () => {
    const { headers, payload } = await sendAttachment({ filename: 'a.txt', data: 'grüße\nund mehr' });
    expect(payload.toString('utf8')).toBe('grüße\nund mehr');
    expect(headers.length).toBe(16);
  });

  it('data may be a buffer, sent byte by byte', async () => {
    const bytes = Buffer.from([0, 10, 13, 200, 255]);
    const { headers, payload } = await sendAttachment({ filename: 'a.bin', data: bytes });
    expect(Buffer.compare(payload, bytes)).toBe(0);
    expect(headers.length).toBe(5);
  });

  it('contentType is the media type', async () => {
    const { headers } = await sendAttachment({ filename: 'a.png', data: 'x', contentType: 'image/png' });
    expect(headers.content_type).toBe('image/png');
  });
});
