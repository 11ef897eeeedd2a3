import { describe, expect, it } from 'vitest';
import { maskCredentials } from '../../src/scrubbing/credentials.js';
import { sensitiveNames } from '../../src/scrubbing/sensitive-names.js';

const CREDENTIALS = [
  'password',
  'user[password]',
  'db_passwd',
  'newPassword',
  'passphrase',
  'pwd',
  'secret',
  'clientSecret',
  'access_token',
  'apiKey',
  'x-api-key',
  'private_key',
  'auth',
  'authorization',
  'Authorisation',
  'credentials',
  'jwt',
  '_csrf',
  'SAMLResponse',
  'sessionId',
  'PHPSESSID',
  'X-Amz-Signature',
  'cardNumber',
  'IBAN',
  'pin',
  'otp',
  'cvv',
  'sid',
  'user[sid]',
  'data[user][sid]',
  'a.pin',
];
const PERSONAL = [
  'email',
  'e-mail',
  'phoneNumber',
  'firstName',
  'user_name',
  'birthday',
  'street',
  'zip',
  'ip',
  'remote_ip',
];
const HARMLESS = [
  'author',
  'authority',
  'authors',
  'keyword',
  'monkey',
  'sort',
  'page',
  'spinner',
  'inside',
  'name',
  'zipped',
];

describe('the name of a field', () => {
  it.each(CREDENTIALS)('%s is that of a credential', (name) => {
    expect([sensitiveNames(false).hasField(name), sensitiveNames(true).hasField(name)]).toEqual([true, true]);
  });

  it.each(PERSONAL)('%s is that of personal data', (name) => {
    expect([sensitiveNames(false).hasField(name), sensitiveNames(true).hasField(name)]).toEqual([true, false]);
  });

  it.each(HARMLESS)('%s is harmless', (name) => {
    expect(sensitiveNames(false).hasField(name)).toBe(false);
  });
});

describe('a text', () => {
  it.each([
    ['password: x', true],
    ['the "password" = x', true],
    ['<password>x', true],
    ['password', false],
    ['I forgot my password, sorry: no idea', false],
    ['author: me', false],
  ])('%j gives a sensitive name a value: %s', (text, expected) => {
    expect(sensitiveNames(false).areAssignedIn(text)).toBe(expected);
  });

  it.each([
    ['a Bearer abcdefghijklmnop1234', 'a [Filtered]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2lnbmF0dXJl!', '[Filtered]!'],
    ['key AKIAIOSFODNN7EXAMPLE', 'key [Filtered]'],
    ['ghp_16C7e42F292c6912E7710c838347Ae178B4a', '[Filtered]'],
    ['sk_live_4eC39HqLyjWDarjtT1zdp7dc', '[Filtered]'],
    ['xoxb-123456789012-abcdef', '[Filtered]'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nrest', '[Filtered]\nrest'],
    ['-----BEGIN PRIVATE KEY-----\nMII', '[Filtered]'],
    ['to postgres://me:pw@db:5432/shop failed', 'to postgres://[filtered]:[filtered]@db:5432/shop failed'],
    ['redis://:pw@db', 'redis://[filtered]:[filtered]@db'],
    ['amqp://me:p#w/d?x@y@db/', 'amqp://[filtered]:[filtered]@db/'],
    ['https://me@db/', 'https://[filtered]:[filtered]@db/'],
    ['//me:pw@db/', '//[filtered]:[filtered]@db/'],
    ['"http://a:1@b" "http://c:2@d"', '"http://[filtered]:[filtered]@b" "http://[filtered]:[filtered]@d"'],
    ['http://localhost:3000/@scope/a', 'http://localhost:3000/@scope/a'],
    ['https://a.test/users/me@a.test', 'https://a.test/users/me@a.test'],
    ['me@a.test, see https://a.test', 'me@a.test, see https://a.test'],
    ['bearer of news', 'bearer of news'],
    ['eyJ is how they begin', 'eyJ is how they begin'],
    ['', ''],
  ])('%j leaves as %j', (text, expected) => {
    expect(maskCredentials(text, sensitiveNames(true))).toBe(expected);
  });
});

it('no value, yes and no may leave, except under names of the option', () => {
  const names = sensitiveNames(false, { fields: ['isMember'] });
  for (const value of [null, undefined, true, false]) {
    expect(names.hasValue('password', value)).toBe(false);
    expect(names.hasValue('is_member', value)).toBe(true);
  }
  for (const value of ['', 'true', 0, {}]) expect(names.hasValue('password', value)).toBe(true);
});
