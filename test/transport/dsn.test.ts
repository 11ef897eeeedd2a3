import { describe, expect, it } from 'vitest';
import { SDK_VERSION } from '../../src/internal/version.js';
import { dsnToString, envelopeUrl, parseDsn } from '../../src/transport/dsn.js';
import { ENVELOPE_FORMAT } from '../../src/transport/formats/envelope-format.js';

const KEY = '0123456789abcdef0123456789abcdef';

const base = { protocol: 'https', publicKey: KEY, host: 'errors.example.com', port: '', path: '', projectId: '42' };

describe('parseDsn reads', () => {
  const rows: [text: string, parts: object][] = [
    [`https://${KEY}@errors.example.com/42`, {}],
    [`http://${KEY}@errors.example.com/42`, { protocol: 'http' }],
    [`https://${KEY}@errors.example.com:8443/42`, { port: '8443' }],
    [`https://${KEY}@errors.example.com/a/b/42`, { path: 'a/b' }],
    [`https://${KEY}@errors.example.com//a//b/42`, { path: 'a/b' }],
    [`https://${KEY}:s3cret@errors.example.com/42`, { secretKey: 's3cret' }],
    [`https://${KEY}:@errors.example.com/42`, {}],
    [`https://${KEY}@localhost/42`, { host: 'localhost' }],
    [`https://${KEY}@127.0.0.1:9000/42`, { host: '127.0.0.1', port: '9000' }],
    [`https://${KEY}@[::1]:9000/42`, { host: '[::1]', port: '9000' }],
    [`https://${KEY}@[fe80::1%eth0]/42`, { host: '[fe80::1%eth0]' }],
    [`https://${KEY}@errors.example.com/42?timeout=5`, {}],
    [`https://${KEY}@errors.example.com/42?back=/7`, {}],
    [`https://${KEY}@errors.example.com/42#top`, {}],
    [`https://${KEY}@errors.example.com/42abc`, {}],
    [` https://${KEY}@errors.example.com/42\n`, {}],
    [`https://${KEY}@errors.example.com/42/`, {}],
    [`https://${KEY}@errors.example.com/a/b/42// `, { path: 'a/b' }],
    [`https://${KEY}@errors.example.com/42/?timeout=5`, {}],
  ];
  it.each(rows)('%s', (text, parts) => {
    expect(parseDsn(text)).toEqual({ ...base, ...parts });
  });
});

describe('parseDsn takes for no address', () => {
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const rows: [what: string, given: unknown][] = [
    ['nothing', ''],
    ['a bare word', 'errors'],
    ['an address without a key', 'https://errors.example.com/42'],
    ['an address without a host', `https://${KEY}@/42`],
    ['an address without a project', `https://${KEY}@errors.example.com`],
    ['an address with an empty project', `https://${KEY}@errors.example.com/`],
    ['an address of slashes without a project', `https://${KEY}@errors.example.com///`],
    ['a project that is no number', `https://${KEY}@errors.example.com/abc`],
    ['another protocol', `ftp://${KEY}@errors.example.com/42`],
    ['a key with other characters', 'https://k-e-y@errors.example.com/42'],
    ['a port that is no number', `https://${KEY}@errors.example.com:http/42`],
    ['a port beyond 65535', `https://${KEY}@errors.example.com:65536/42`],
    ['undefined', undefined],
    ['null', null],
    ['a number', 42],
    ['an empty object', {}],
    ['an object that cannot be read', revoked.proxy],
    ['an object with a part that is none', { ...base, projectId: Symbol('42') }],
  ];
  it.each(rows)('%s', (_, given) => {
    expect(parseDsn(given)).toBeUndefined();
  });
});

it('an object with the same parts is an address', () => {
  const dsn = { ...base, secretKey: 's3cret', port: '8443', path: 'a/b' };
  expect(parseDsn(dsn)).toEqual(dsn);
  expect(parseDsn({ protocol: 'http', publicKey: KEY, host: 'h', port: 80, projectId: 1 })).toEqual({
    ...base,
    protocol: 'http',
    host: 'h',
    port: '80',
    projectId: '1',
  });
});

it('an address as text leaves its secret out, unless that is asked for', () => {
  const text = `https://${KEY}:s3cret@errors.example.com:8443/a/b/42`;
  expect(dsnToString(parseDsn(text)!)).toBe(`https://${KEY}@errors.example.com:8443/a/b/42`);
  expect(dsnToString(parseDsn(text)!, true)).toBe(text);
});

it('the envelope endpoint carries protocol version, key and client in the query, in this order', () => {
  const dsn = parseDsn(`https://${KEY}:s3cret@[::1]:8443/a/b/42`)!;
  expect(envelopeUrl(dsn, ENVELOPE_FORMAT)).toBe(
    `https://[::1]:8443/a/b/api/42/envelope/?sentry_version=7&sentry_key=${KEY}` +
      `&sentry_client=faultline.javascript.node%2F${SDK_VERSION}`,
  );
});

it('a tunnel is used as it is', () => {
  expect(envelopeUrl(parseDsn(`https://${KEY}@errors.example.com/42`)!, ENVELOPE_FORMAT, 'http://tunnel/x?y=1')).toBe(
    'http://tunnel/x?y=1',
  );
});
