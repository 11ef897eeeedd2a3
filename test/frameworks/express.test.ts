import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { setupExpressErrorHandler } from '../../src/frameworks/express.js';

const express = createRequire(import.meta.url)('express');

it('the error handler of Express has a name, which OpenTelemetry’s instrumentation gives its span', () => {
  const app = express();
  setupExpressErrorHandler(app);
  const names = app.router.stack.map(({ handle }: { handle: { name: string } }) => handle.name);
  expect(names).toEqual(['faultlineErrorHandler']);
});
