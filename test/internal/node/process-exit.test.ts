import { expect, it, onTestFinished } from 'vitest';
import { onProcessExit } from '../../../src/internal/node/process-exit.js';

const leaving = process as unknown as { reallyExit: (code?: number) => void };

/** Replaces `reallyExit` for this test. */
function replaceReallyExit(replacement: (code?: number) => void): void {
  const { reallyExit } = leaving;
  leaving.reallyExit = replacement;
  onTestFinished(() => {
    leaving.reallyExit = reallyExit;
  });
}

it('clients that follow each other, each of which is closed after the next has begun, leave reallyExit as it was', () => {
  const codes: unknown[] = [];
  const own = (code?: number) => void codes.push(code);
  replaceReallyExit(own);
  let stop = onProcessExit(() => codes.push('first'));
  const wrapped = leaving.reallyExit;
  for (let i = 0; i < 5; i++) {
    const next = onProcessExit(() => codes.push('last'));
    stop();
    stop = next;
  }
  expect(leaving.reallyExit).toBe(wrapped);
  leaving.reallyExit(3);
  stop();
  expect(codes).toEqual(['last', 3]);
  expect(leaving.reallyExit).toBe(own);
});
