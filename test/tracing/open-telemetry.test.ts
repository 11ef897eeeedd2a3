import { afterEach, expect, it, vi } from 'vitest';
import { startSpan } from '../../src/index.js';
import { tell } from '../support/story.js';

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['', 'node'],
  ['shop', 'shop'],
])(
  'the service is named by OTEL_SERVICE_NAME (%j), else `node`, whatever the executable is',
  async (name, expected) => {
    vi.stubEnv('OTEL_SERVICE_NAME', name);
    await tell(
      { tracesSampleRate: 1 },
      () => startSpan({ name: 'x' }, () => undefined),
      ({ receiver }) => {
        expect(receiver.transactions[0]?.contexts['otel']).toMatchObject({ resource: { 'service.name': expected } });
      },
    );
  },
);
