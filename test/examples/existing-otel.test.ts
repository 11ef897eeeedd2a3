import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('the example beside an OpenTelemetry setup lets both keep their own share of the traces', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['examples/existing-otel/index.js']);
  expect(stderr).toBe('');
  expect(stdout).toContain('POST /orders');
  expect(stdout).toContain('INSERT order');
  const line = /^of 400 orders, the existing exporter got (\d+), Faultline (\d+), both (\d+)$/m;
  const [theirs, ours, both] = (line.exec(stdout) ?? []).slice(1).map(Number) as [number, number, number];
  // Five standard deviations: 100, 200 and 50 of 400 are expected.
  expect(Math.abs(theirs - 100)).toBeLessThan(45);
  expect(Math.abs(ours - 200)).toBeLessThan(52);
  expect(Math.abs(both - 50)).toBeLessThan(35);
  expect(stdout).toContain('10 errors, each with the tag of its own order');
  const lost = 400 - ours;
  const [, received, discarded] = /^received: (.*) \| lost: (.*)$/m.exec(stdout) ?? [];
  expect(received?.split(', ').sort()).toEqual(['10 error', `${ours} transaction`, `${2 * ours} span`].sort());
  expect(discarded).toContain(`${lost} transaction`);
});
