import { describe, expect, it } from 'vitest';
import { readReason } from '../../../src/transport/http/http-exchange.js';

describe('the reason of a refusal', () => {
  it.each<[string, Record<string, string>, string, string | undefined]>([
    ['the header', { 'x-sentry-error': 'bad key' }, '{"detail":"other"}', 'bad key'],
    ['detail of the body', {}, '{"detail":"bad sentry DSN public key","causes":[]}', 'bad sentry DSN public key'],
    ['error of the body', {}, '{"error":"no such project"}', 'no such project'],
    ['a body in plain text', { 'content-type': 'text/plain; charset=utf-8' }, 'Not\nFound', 'Not Found'],
    ['nothing of a page', { 'content-type': 'text/html' }, '<h1>404</h1>', undefined],
    ['nothing of a cut body', {}, '{"detail":"bad', undefined],
    ['nothing of other types', {}, '{"detail":{"a":1}}', undefined],
    ['nothing of an empty body', {}, '', undefined],
  ])('is %s', (_, headers, body, reason) => {
    expect(readReason(headers, body)).toBe(reason);
  });

  it('has no terminal escapes, and is cut', () => {
    const reason = readReason({}, JSON.stringify({ detail: `\u001b]0;title\u0007${'x'.repeat(1000)}` }));
    expect(reason).toMatch(/^\]0;title x+…$/);
    expect(reason).toHaveLength(200);
  });
});
