import { describe, expect, it } from 'vitest';
import { maskCredentials } from '../../src/scrubbing/credentials.js';
import { sensitiveNames } from '../../src/scrubbing/sensitive-names.js';
import { filterPath, filterQuery, filterUrl, splitUrl } from '../../src/scrubbing/urls.js';
import fc from '../support/fast-check.js';

const NAMES = sensitiveNames(false);

it.each([
  ['https://shop.test/cart', 'https://shop.test/cart'],
  ['https://me:pw@shop.test/a?b=1#c', 'https://[filtered]:[filtered]@shop.test/a?b=1#c'],
  ['/cb?page=2&token=x', '/cb?page=2&token=[Filtered]'],
  ['/cb#access_token=x&a=1', '/cb#access_token=[Filtered]&a=1'],
  ['/cart;jsessionid=x/items;a=1?b', '/cart;jsessionid=[Filtered]/items;a=1?b'],
  ['', ''],
])('the URL %j leaves as %j', (url, expected) => {
  expect(filterUrl(url, NAMES)).toBe(expected);
});

it.each([
  ['a=1&b=', 'a=1&b='],
  ['password=x=y&a=1', 'password=[Filtered]&a=1'],
  ['pass%77ord=x', 'pass%77ord=[Filtered]'],
  ['%password=x', '%password=[Filtered]'],
  ['%C3%28password=x', '%C3%28password=[Filtered]'],
  ['l%C3%B6senord=x&caf%C3%A9=y', 'l%C3%B6senord=[Filtered]&caf%C3%A9=y'],
  ['%E5%AF%86%E7%A0%81=x', '%E5%AF%86%E7%A0%81=[Filtered]'],
  ['to=%252F%25C3%25A9%253Ftoken%253Dx', 'to=%252F%25C3%25A9%253Ftoken%253D%255BFiltered%255D'],
  ['to=%2Fcaf%C3%A9%3Fa%3D1', 'to=%2Fcaf%C3%A9%3Fa%3D1'],
  ['page=2&pass=2', 'page=2&pass=2'],
  ['pass=2222', 'pass=[Filtered]'],
  ['user[sid]=x&users[]=y', 'user[sid]=[Filtered]&users[]=y'],
  ['code=x&state=1', 'code=[Filtered]&state=1'],
  ['code=DE', 'code=DE'],
  ['email=me%40a.test', 'email=[Filtered]'],
  ['a=1;token=x', 'a=1;token=[Filtered]'],
  ['to=https://a.test/?token=x&b=1', 'to=https://a.test/?token=[Filtered]&b=1'],
  ['to=%2F%3Ftoken%3Dx%26a%3D1', 'to=%2F%3Ftoken%3D%5BFiltered%5D%26a%3D1'],
  ['to=https%3A%2F%2Fa.test%2F%3Fb%3D1', 'to=https%3A%2F%2Fa.test%2F%3Fb%3D1'],
  ['to=%252F%253Ftoken%253Dx', 'to=%252F%253Ftoken%253D%255BFiltered%255D'],
  ['to=%252Fa%253Fb%253D1', 'to=%252Fa%253Fb%253D1'],
  ['grant_type=authorization_code&code=x', 'grant_type=authorization_code&code=[Filtered]'],
  ['data=%7B%22password%22%3A1%7D', 'data=[Filtered]'],
  ['session=x8Qz3vT6kW1&m%61gic=y9Ra4wU7lX2', 'session=[Filtered]&m%61gic=[Filtered]'],
  ['session=keynote-2026&magic=on', 'session=keynote-2026&magic=on'],
  ['ticket=x8Qz3vT6kW1&page=2', 'ticket=[Filtered]&page=2'],
  ['key=x8Qz3vT6kW1x8Qz3vT6kW1', 'key=[Filtered]'],
  ['code=eoVXINIwTyYnuIJAEHXURZpvvasRvHCr', 'code=[Filtered]'],
  ['has_password=true&token=false', 'has_password=true&token=false'],
  ['code=INVALID_REQUEST_PARAMETER', 'code=INVALID_REQUEST_PARAMETER'],
  ['code=SplxlOBeZQQYbYS6', 'code=[Filtered]'],
  [`data=${Buffer.from('{"password":"x"}').toString('base64')}`, 'data=[Filtered]'],
  ['code=x8Qz3vT6kW1x8Qz3vT6kW1&scope=a', 'code=[Filtered]&scope=a'],
  ['code=SUMMER2024&ticket=PROJ-1234', 'code=SUMMER2024&ticket=PROJ-1234'],
  ['key=uploads/2024/a1b2c3d4/x1y2z3.png', 'key=uploads/2024/a1b2c3d4/x1y2z3.png'],
  ['db=m&u=ada&p=x8Qz3vT6kW1', 'db=m&u=ada&p=[Filtered]'],
  ['sess=x8Qz3vT6kW1&private=yes', 'sess=[Filtered]&private=yes'],
  ['u=ada&p=12', 'u=ada&p=12'],
  ['token', 'token'],
])('the query %j leaves as %j', (query, expected) => {
  expect(filterQuery(query, NAMES)).toBe(expected);
});

it('a query keeps e-mail addresses where personal data may leave', () => {
  expect(filterQuery('email=me&token=x', sensitiveNames(true))).toBe('email=me&token=[Filtered]');
});

it('a URL is taken apart, without its user', () => {
  expect(splitUrl('https://me:pw@shop.test/a@b?token=x#sid=y', NAMES)).toEqual({
    url: 'https://shop.test/a@b',
    query: 'token=[Filtered]',
    fragment: 'sid=[Filtered]',
  });
});

describe('whatever a URL looks like', () => {
  const secret = fc.stringMatching(/^Z[a-z]{10}Z$/);
  const piece = fc.stringMatching(/^[a-z0-9%=&;:@?#/.[\]-]{0,12}$/);

  it('the value of a secret does not leave', () => {
    const name = fc.constantFrom('token', 'password', 'pass%77ord', 'user[password]', 'api_key', 'X-Auth');
    const ending = fc.constantFrom('', '&a=1', '&', '#x');
    fc.assert(
      fc.property(
        secret,
        name,
        piece,
        fc.constantFrom('?', '&', '#', '?a=1&'),
        ending,
        (value, key, before, mark, end) => {
          const url = `https://shop.test/${before}?${mark}${key}=${value}${end}`;
          expect(filterUrl(url, NAMES)).not.toContain(value);
          expect(JSON.stringify(splitUrl(url, NAMES))).not.toContain(value);
        },
      ),
    );
  });

  it('no credential is known that looks like a path of words and short numbers, which is not searched', () => {
    const word = fc.oneof(
      fc.constantFrom('token', 'secret', 'reset', 'verify', 'magic', 'otp', 'webhooks', 'hooks', 'integrations', 'api'),
      fc.stringMatching(/^[a-z]{1,20}$/),
    );
    const segments = fc.array(fc.oneof(word, fc.stringMatching(/^\d{1,7}$/)), { maxLength: 8 });
    const host = fc.array(fc.oneof(word, fc.stringMatching(/^\d{1,3}$/)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(segments, host, fc.constantFrom('', ':3000'), (path, names, port) => {
        for (const url of [`/${path.join('/')}`, `https://${names.join('.')}${port}/${path.join('/')}`]) {
          expect(maskCredentials(url, NAMES)).toBe(url);
          expect(filterPath(url, NAMES)).toBe(url);
        }
      }),
    );
  });

  it('one that was encoded over and over does not leave either', () => {
    fc.assert(
      fc.property(secret, fc.integer({ min: 0, max: 6 }), (value, times) => {
        let url = `https://shop.test/?token=${value}`;
        for (let i = 0; i < times; i++) url = `https://shop.test/?to=${encodeURIComponent(url)}`;
        expect(filterUrl(url, NAMES)).not.toContain(value);
      }),
    );
  });

  it('nothing is thrown, and what was filtered stays as it is when it is filtered again', () => {
    fc.assert(
      fc.property(fc.string(), piece, (text, other) => {
        for (const url of [text, other]) {
          filterUrl(url, NAMES);
          expect(filterPath(filterPath(url, NAMES), NAMES)).toBe(filterPath(url, NAMES));
        }
      }),
    );
  });
});

it.each([
  ['/auth/x8Qz3vT6kW1x8Qz3vT6kW1', '/auth/[Filtered]'],
  ['/join/Ab3dEf6hIj', '/join/[Filtered]'],
  ['/hooks/5f1a2b3c/x8Qz3vT6kW1', '/hooks/[Filtered]/[Filtered]'],
  ['/auth/OAuth2Callback', '/auth/OAuth2Callback'],
  ['/share/MyDocumentV2Final', '/share/MyDocumentV2Final'],
  ['/sessions/550e8400-e29b-41d4-a716-446655440000', '/sessions/550e8400-e29b-41d4-a716-446655440000'],
  ['/share/01ARZ3NDEKTSV4RRFFQ69G5FAV', '/share/01ARZ3NDEKTSV4RRFFQ69G5FAV'],
])('after a common segment, only what looks random is a token: %s', (path, expected) => {
  expect(filterPath(path, NAMES)).toBe(expected);
});
