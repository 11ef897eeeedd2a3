import { guardOwn } from '../internal/guard.js';
import { readOptions } from '../internal/options/read-options.js';
import { isArray, isObject, readProperty, readString } from '../internal/values/read.js';
import { truncate } from '../internal/values/strings.js';
import type { Integration } from '../model/contracts.js';
import type { Event } from '../model/event/event.js';
import { attachmentsOf, type EventHint } from '../model/hint.js';

/** Options of {@link zodErrorsIntegration}. */
export interface ZodErrorsOptions {
  /** Issues kept in the event's `extra`. @default 10 */
  limit?: number | undefined;
  /** Attaches all issues as `zod_issues.json`. @default false */
  saveZodIssuesAsAttachment?: boolean | undefined;
}

type Issue = Readonly<Record<string, unknown>>;

const MAX_KEYS_LENGTH = 100;
/** Limits the time spent on an error with many issues. */
const MAX_ISSUES = 1000;
const MAX_PATH_LENGTH = 32;

/** Shortens the message of Zod 3 and 4 validation errors to the keys that failed, which also groups them. */
export function zodErrorsIntegration(options?: ZodErrorsOptions): Integration {
  const { limit, saveZodIssuesAsAttachment } = readOptions('zodErrorsIntegration', options, {
    limit: 10,
    saveZodIssuesAsAttachment: false,
  });
  return {
    name: 'ZodErrors',
    processEvent(event, hint) {
      const issues = event.type === undefined ? issuesOf(hint.originalException) : undefined;
      if (issues === undefined) return event;
      guardOwn('description of a Zod error', () => replaceMessage(event, issues, limit));
      if (saveZodIssuesAsAttachment) guardOwn('Zod issues as an attachment', () => attach(hint, issues));
      return event;
    },
  };
}

function issuesOf(error: unknown): readonly Issue[] | undefined {
  const name = readString(error, 'name');
  if (name !== 'ZodError' && name !== '$ZodError') return undefined;
  const issues = readProperty(error, 'issues');
  if (!isArray(issues)) return undefined;
  return issues.slice(0, MAX_ISSUES).filter((one): one is Issue => isObject(one));
}

function replaceMessage(event: Event, issues: readonly Issue[], limit: number): void {
  const values = event.exception?.values;
  const caught = values?.at(-1);
  const value = describeIssues(issues);
  const extra = { ...event.extra, 'zoderror.issues': issues.slice(0, Math.max(limit, 0)).map(flatten) };
  if (caught) event.exception = { ...event.exception, values: [...values!.slice(0, -1), { ...caught, value }] };
  event.extra = extra;
}

function describeIssues(issues: readonly Issue[]): string {
  const keys = new Set(issues.map(keyOf).filter((key) => key !== ''));
  if (keys.size > 0) return `Failed to validate keys: ${truncate([...keys].join(', '), MAX_KEYS_LENGTH)}`;
  return `Failed to validate ${readString(issues[0], 'expected') ?? 'variable'}`;
}

/** The same path for all elements of a list, so that errors group alike whichever element failed. */
function keyOf({ path }: Issue): string {
  return partsOf(path)
    .map((part) => (typeof part === 'number' ? '<array>' : String(part)))
    .join('.');
}

/** A flattened issue, of which normalization keeps more. */
function flatten(issue: Issue): Issue {
  const flat: Record<string, unknown> = { ...issue, path: partsOf(issue['path']).map(String).join('.') };
  for (const key of ['keys', 'unionErrors', 'errors']) {
    if (isArray(flat[key])) flat[key] = JSON.stringify(flat[key]);
  }
  return flat;
}

function partsOf(path: unknown): readonly unknown[] {
  return isArray(path) ? path.slice(0, MAX_PATH_LENGTH) : [];
}

function attach(hint: EventHint, issues: readonly Issue[]): void {
  const data = JSON.stringify({ issues });
  hint.attachments = [...attachmentsOf(hint), { filename: 'zod_issues.json', contentType: 'application/json', data }];
}
