import { describe, expect, it } from 'vitest';
import { composeSpanUrl, parseSpanUrl } from '../../../src/tracing/describe/span-url.js';
import fc from '../../support/fast-check.js';

describe('the URL of a span', () => {
  it.each([
    ['https://example.com/a/b', 'https://example.com/a/b', undefined, undefined],
    ['https://example.com', 'https://example.com', undefined, undefined],
    ['https://example.com/a?b=1&c=2#d', 'https://example.com/a', 'b=1&c=2', 'd'],
    ['https://example.com?b=1', 'https://example.com', 'b=1', undefined],
    ['https://example.com/a#b?c', 'https://example.com/a', undefined, 'b?c'],
    ['https://example.com/a?#', 'https://example.com/a', undefined, undefined],
    ['http://example.com:80/a', 'http://example.com/a', undefined, undefined],
    ['https://example.com:443/a', 'https://example.com/a', undefined, undefined],
    ['https://example.com:4430/a', 'https://example.com:4430/a', undefined, undefined],
    ['http://localhost:8080/a', 'http://localhost:8080/a', undefined, undefined],
    ['http://[::1]:80/a', 'http://[::1]/a', undefined, undefined],
    ['https://user:secret@example.com/a', 'https://[filtered]:[filtered]@example.com/a', undefined, undefined],
    ['https://user@example.com:443/a', 'https://[filtered]:[filtered]@example.com/a', undefined, undefined],
    ['https://user:s@cret@example.com', 'https://[filtered]:[filtered]@example.com', undefined, undefined],
    ['//user:secret@example.com/a', '//[filtered]:[filtered]@example.com/a', undefined, undefined],
    ['/a/b?c=1', '/a/b', 'c=1', undefined],
    ['/to/http://me@example.com/', '/to/http://me@example.com/', undefined, undefined],
    ['example.com/a', 'example.com/a', undefined, undefined],
    ['', '', undefined, undefined],
  ])('%j is shown as %j', (input, url, query, fragment) => {
    expect(parseSpanUrl(input)).toEqual({ url, query, fragment });
  });

  it('never shows what stands before the @ of its host', () => {
    const word = fc.stringMatching(/^[a-z]{0,8}$/);
    const parts = fc.record({ user: word, host: word, path: word, query: word, fragment: word });
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z]{12}$/), parts, (password, { user, host, path, query, fragment }) => {
        const url = `https://${user}:${password}@${host}/${path}?${query}#${fragment}`;
        expect(JSON.stringify(parseSpanUrl(url))).not.toContain(password);
      }),
    );
  });

  const PARTS = { 'url.scheme': 'http', 'server.address': 'shop.test', 'url.path': '/a' };
  it.each<[string, Record<string, unknown>, { url: string; query?: string } | undefined]>([
    ['scheme, host and path', PARTS, { url: 'http://shop.test/a' }],
    ['a port', { ...PARTS, 'server.port': 8080 }, { url: 'http://shop.test:8080/a' }],
    ['port 80', { ...PARTS, 'server.port': 80 }, { url: 'http://shop.test/a' }],
    ['port 443 in digits', { ...PARTS, 'server.port': '443' }, { url: 'http://shop.test/a' }],
    ['a query', { ...PARTS, 'url.query': 'b=1' }, { url: 'http://shop.test/a', query: 'b=1' }],
    ['a query with its mark', { ...PARTS, 'url.query': '?b=1' }, { url: 'http://shop.test/a', query: 'b=1' }],
    ['an empty query', { ...PARTS, 'url.query': '' }, { url: 'http://shop.test/a' }],
    ['an IPv6 host', { ...PARTS, 'server.address': '::1' }, { url: 'http://[::1]/a' }],
    ['no scheme', { ...PARTS, 'url.scheme': undefined }, undefined],
    ['no host', { ...PARTS, 'server.address': undefined }, undefined],
    ['no path', { ...PARTS, 'url.path': undefined }, undefined],
  ])('is put together from the stable attributes: %s', (_, attributes, expected) => {
    expect(composeSpanUrl(attributes)).toEqual(expected);
  });
});
