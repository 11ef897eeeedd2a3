import { context } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { expect, it } from 'vitest';
import { captureMessage, init } from '../../src/index.js';
import { resetOpenTelemetry } from '../support/story.js';

it('a transport of the application sends and flushes with tracing suppressed', async () => {
  const suppressed: boolean[] = [];
  const note = () => suppressed.push(isTracingSuppressed(context.active()));
  const transport = {
    send: async () => {
      note();
      return { statusCode: 200 };
    },
    flush: async () => {
      note();
      return true;
    },
  };
  const client = init({ dsn: 'http://key@127.0.0.1:1/1', transport: () => transport });
  captureMessage('m');
  await client.close(1000);
  expect(suppressed).toEqual([true, true]);
  resetOpenTelemetry();
});
