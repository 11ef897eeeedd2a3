import { type DiagLogger, diag } from '@opentelemetry/api';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Integration } from '../../../src/model/contracts.js';
import type { Settings } from '../../../src/model/options.js';
import { trustIntegrations } from '../../../src/model/trusted-integrations.js';
import { HOOK_DEADLINE_MILLIS } from '../../../src/pipeline/run-hook.js';
import type { StepContext } from '../../../src/pipeline/step.js';
import { createEnrichment } from '../../../src/pipeline/steps/run-integrations.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('does not wait for ever for a default integration whose method somebody has replaced', async () => {
  const integration: Integration = { name: 'A', enrichEvent: () => Promise.resolve() };
  const [step] = createEnrichment([integration], { integrations: [] } as Partial<Settings> as Settings);
  integration.enrichEvent = () => new Promise(() => undefined);
  const settled = vi.fn();
  const event = { message: 'a' };
  void Promise.resolve(step!(event, { hint: {}, isEnding: false } as Partial<StepContext> as StepContext)).then(
    settled,
  );
  await vi.advanceTimersByTimeAsync(HOOK_DEADLINE_MILLIS - 1);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2);
  expect(settled).toHaveBeenCalledWith(event);
});

it.each([
  { whose: 'the SDK', logger: 'faultline/internal' },
  { whose: 'the application', logger: 'faultline/user-code' },
])('an integration of $whose that throws is logged as $logger', ({ whose, logger }) => {
  const error = vi.fn();
  diag.setLogger({ error } as Partial<DiagLogger> as DiagLogger, { suppressOverrideMessage: true });
  const enrichEvent = (): never => {
    throw new Error('no');
  };
  const integrations: Integration[] = [{ name: 'A', enrichEvent }];
  if (whose === 'the SDK') trustIntegrations(integrations);
  const settings = { integrations } as Partial<Settings> as Settings;
  const [step] = createEnrichment(integrations, settings);
  step!({ message: 'a' }, { hint: {}, client: {}, isEnding: false } as Partial<StepContext> as StepContext);
  diag.disable();
  expect(error.mock.calls[0]?.[0]).toBe(logger);
});
