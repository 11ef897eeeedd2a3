import { describe, expect, it } from 'vitest';
import type { Attachment } from '../../../src/model/event/attachment.js';
import { createEventItems } from '../../../src/model/items/event-items.js';

describe('an attachment', () => {
  const bytes = new Uint8Array([0, 10, 13, 255]);
  const hostile = {
    filename: 'h.txt',
    get data(): never {
      throw new Error('getter');
    },
  };
  const rows: [what: string, attachment: unknown, headers: object, payload: string | Uint8Array][] = [
    ['of text', { filename: 'a.txt', data: 'ü\n😀' }, { filename: 'a.txt' }, 'ü\n😀'],
    ['of bytes', { filename: 'a.bin', data: bytes }, { filename: 'a.bin' }, bytes],
    ['of a Buffer', { filename: 'a.bin', data: Buffer.from(bytes) }, { filename: 'a.bin' }, bytes],
    ['of an ArrayBuffer', { filename: 'a.bin', data: bytes.buffer }, { filename: 'a.bin' }, bytes],
    [
      'of a DataView',
      { filename: 'a', data: new DataView(bytes.buffer, 1, 2) },
      { filename: 'a' },
      bytes.subarray(1, 3),
    ],
    ['of an object', { filename: 'a.json', data: { a: 1n } }, { filename: 'a.json' }, '{"a":"[BigInt: 1]"}'],
    ['of nothing', { filename: 'a.txt', data: undefined }, { filename: 'a.txt' }, ''],
    ['without a name', { data: 'x' }, { filename: 'attachment' }, 'x'],
    ['that cannot be read', hostile, { filename: 'h.txt' }, ''],
    ['of a detached ArrayBuffer', { filename: 'd.bin', data: detached() }, { filename: 'd.bin' }, ''],
    [
      'of bytes in one',
      { filename: 'd.bin', data: detached((buffer) => new Uint8Array(buffer)) },
      { filename: 'd.bin' },
      '',
    ],
    [
      'of a DataView on one',
      { filename: 'd.bin', data: detached((buffer) => new DataView(buffer)) },
      { filename: 'd.bin' },
      '',
    ],
    ['that is none', null, { filename: 'attachment' }, ''],
    [
      'with a media type and a kind',
      { filename: 'a.png', data: bytes, contentType: 'image/png', attachmentType: 'event.view_hierarchy' },
      { filename: 'a.png', content_type: 'image/png', attachment_type: 'event.view_hierarchy' },
      bytes,
    ],
  ];
  it.each(['x', '日', '😀', '\u0001'])(
    'has headers that servers accept, however long its names are: %j',
    (character) => {
      const long = character.repeat(2000);
      const attachment = { filename: long, contentType: long, attachmentType: long, data: 'x' };
      const [headers] = createEventItems({}, [attachment])[1]!.content;
      expect(Buffer.byteLength(JSON.stringify(headers))).toBeLessThan(8000);
      expect(long.startsWith(String(headers['filename']))).toBe(true);
      expect(String(headers['filename']).length).toBeGreaterThan(300);
    },
  );

  it.each(rows)('%s follows its event', (_, attachment, headers, payload) => {
    const [first, second] = createEventItems({}, [attachment as Attachment]);
    expect(first!.content[0].type).toBe('event');
    expect(second!.content[0]).toEqual({ type: 'attachment', ...headers });
    expect(Buffer.from(second!.content[1] as string)).toEqual(Buffer.from(payload as string));
    expect(second!.quantities).toEqual([['attachment', 1]]);
  });
});

/** A view whose buffer was transferred, as to a worker. */
function detached<T>(viewOf: (buffer: ArrayBuffer) => T = (buffer) => buffer as T): T {
  const buffer = new ArrayBuffer(8);
  const view = viewOf(buffer);
  structuredClone(buffer, { transfer: [buffer] });
  return view;
}
