import type { SpanKind } from '@opentelemetry/api';
import { expect } from 'vitest';
import { describeSpan } from '../../../src/tracing/describe/describe-span.js';

/** A span named `span name`, and what it is described as. */
export type Case = [
  title: string,
  kind: SpanKind,
  attributes: Record<string, unknown>,
  expected: [op: unknown, name: string, source: string],
];

export function check(title: string, kind: SpanKind, attributes: Record<string, unknown>, expected: Case[3]) {
  const { op, description, source } = describeSpan({ name: 'span name', kind, attributes });
  expect([op, description, source], title).toEqual(expected);
}
