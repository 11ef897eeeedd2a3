import { expect, it } from 'vitest';
import { captureException } from '../../src/index.js';
import { type ZodErrorsOptions, zodErrorsIntegration } from '../../src/integrations/zod-errors.js';
import type { Client } from '../../src/model/contracts.js';
import type { Event } from '../../src/model/event/event.js';
import type { EventHint } from '../../src/model/hint.js';
import { recordEvents, reset } from '../../src/testing/testing.js';
import { tell } from '../support/story.js';

/** Shaped like the errors of Zod 3 and, without a stack, like those that `safeParse` of Zod 4 returns. */
class ZodError extends Error {
  override name = 'ZodError';
  constructor(readonly issues: unknown) {
    super(JSON.stringify(issues, null, 2));
  }
}

const issue = (...path: Array<string | number>) => ({
  code: 'invalid_type',
  expected: 'string',
  path,
  message: 'Required',
});

function processed(error: unknown, options?: ZodErrorsOptions, hint: EventHint = {}) {
  const event: Event = {
    exception: {
      values: [
        { type: 'Cause', value: 'c' },
        { type: 'ZodError', value: 'long' },
      ],
    },
  };
  const result = zodErrorsIntegration(options).processEvent!(
    event,
    Object.assign(hint, { originalException: error }),
    {} as Client,
  );
  return { event: result as Event, value: (result as Event).exception!.values![1]!.value };
}

it('a Zod error arrives with the keys that failed and its issues', async () => {
  const sent = recordEvents({ integrations: [zodErrorsIntegration()] });
  captureException(new ZodError([issue('user', 'name'), issue('age')]));
  const { extra } = await sent.next('error', { value: 'Failed to validate keys: user.name, age', handled: true });
  expect(extra['zoderror.issues']).toEqual([
    { ...issue(), path: 'user.name' },
    { ...issue(), path: 'age' },
  ]);
  expect(sent.attachments).toEqual([]);
  await reset();
});

it.each<[what: string, issues: unknown[], value: string]>([
  ['elements of lists count once', [issue('items', 0, 'id'), issue('items', 1, 'id')], 'keys: items.<array>.id'],
  ['what has no key is named by its type', [issue()], 'string'],
  ['what has no type either is a variable', [{ code: 'custom', path: [] }], 'variable'],
  ['no issues are a variable', [], 'variable'],
  ['entries that are no issues are skipped', [null, 'x', issue('a')], 'keys: a'],
  [
    'many keys are cut',
    [issue('k'.repeat(80)), issue('l'.repeat(80))],
    `keys: ${'k'.repeat(80)}, ${'l'.repeat(18)}...`,
  ],
  ['a path that is none is no key', [{ ...issue(), path: 'a.b' }], 'string'],
])('%s', (_, issues, value) => {
  expect(processed(new ZodError(issues)).value).toBe(`Failed to validate ${value}`);
});

it('only the caught exception is renamed', () => {
  const { event } = processed(new ZodError([issue('a')]));
  expect(event.exception?.values?.[0]).toEqual({ type: 'Cause', value: 'c' });
});

it('the error may have any prototype', () => {
  expect(processed({ name: '$ZodError', issues: [issue('a')] }).value).toBe('Failed to validate keys: a');
});

it('keeps as many issues as the limit says, nested lists as text', () => {
  const issues = [{ ...issue('a'), keys: ['x'], unionErrors: [{ issues: [] }] }, issue('b')];
  const { event } = processed(new ZodError(issues), { limit: 1 });
  expect(event.extra?.['zoderror.issues']).toEqual([
    { ...issue(), path: 'a', keys: '["x"]', unionErrors: '[{"issues":[]}]' },
  ]);
});

it('attaches all issues when told so', async () => {
  const issues = Array.from({ length: 12 }, (_, i) => issue(`k${i}`));
  await tell(
    { integrations: [zodErrorsIntegration({ saveZodIssuesAsAttachment: true })] },
    () => void captureException(new ZodError(issues), { attachments: [{ filename: 'a.txt', data: 'a' }] }),
    ({ receiver }) => {
      expect(receiver.attachments.map(({ headers }) => headers.filename)).toEqual(['a.txt', 'zod_issues.json']);
      expect(JSON.parse(receiver.attachments[1]!.payload.toString())).toEqual({ issues });
      expect(receiver.events[0]?.extra?.['zoderror.issues']).toHaveLength(10);
    },
  );
});

it('issues that are no JSON are not attached, and cost nothing else', () => {
  const hint: EventHint = {};
  const { value } = processed(new ZodError([]), { saveZodIssuesAsAttachment: true }, hint);
  expect([value, hint.attachments?.length]).toEqual(['Failed to validate variable', 1]);
  const circular: Record<string, unknown> = issue('a');
  const error = new ZodError([circular]);
  circular['params'] = circular;
  const other: EventHint = {};
  expect(processed(error, { saveZodIssuesAsAttachment: true }, other).value).toBe('Failed to validate keys: a');
  expect(other.attachments).toBeUndefined();
});

it.each<[what: string, error: unknown]>([
  ['another error', new TypeError('x')],
  ['one that only has its name', Object.assign(new Error('x'), { name: 'ZodError' })],
  ['nothing', undefined],
])('%s is left alone', (_, error) => {
  const { event, value } = processed(error);
  expect(value).toBe('long');
  expect(event.extra).toBeUndefined();
});
