import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readLines } from '../../../src/internal/node/read-lines.js';

const folder = mkdtempSync(join(tmpdir(), 'faultline-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(content: string | Uint8Array): string {
  const file = join(folder, 'source.js');
  writeFileSync(file, content);
  return file;
}

describe('readLines', () => {
  it.each([
    ['the wanted lines only', 'a\nb\nc\nd\n', [2, 4], { 2: 'b', 4: 'd' }],
    ['a last line without an end', 'a\nb', [1, 2], { 1: 'a', 2: 'b' }],
    ['nothing for lines that do not exist', 'a\n', [1, 2, 3], { 1: 'a' }],
    ['empty lines', 'a\n\nc\n', [2], { 2: '' }],
    ['lines without their carriage return', 'a\r\nb\r', [1, 2], { 1: 'a', 2: 'b' }],
    ['nothing of an empty file', '', [1], {}],
  ])('reads %s', async (_, content, numbers, expected) => {
    expect(Object.fromEntries(await readLines(fileOf(content), new Set(numbers)))).toEqual(expected);
  });

  it('finds lines that lie across the pieces in which the file is read', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `${index + 1}: ${'é'.repeat(50)}`);
    const read = await readLines(fileOf(lines.join('\n')), new Set([1, 600, 601, 4999]));
    expect([...read.values()]).toEqual([lines[0], lines[599], lines[600], lines[4998]]);
  });

  it('cuts lines of any length to 1200 characters', async () => {
    const read = await readLines(fileOf(`${'x'.repeat(3_000_000)}\ny`), new Set([1, 2]));
    expect(read.get(1)).toBe('x'.repeat(1200));
    expect(read.get(2)).toBe('y');
  });

  it.each([
    ['a folder', folder],
    ['what does not exist', join(folder, 'none')],
    ['a device', '/dev/zero'],
  ])('rejects for %s', async (_, path) => {
    await expect(readLines(path, new Set([1]))).rejects.toThrow();
  });
});
