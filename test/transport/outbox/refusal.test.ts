import { describe, expect, it } from 'vitest';
import { parseDsn } from '../../../src/transport/dsn.js';
import { explainRefusal } from '../../../src/transport/outbox/refusal.js';

const dsn = parseDsn('https://key:secret@errors.example.com/7');

describe('an answer', () => {
  it.each<[number, string | undefined, RegExp]>([
    [
      401,
      undefined,
      /^The destination errors\.example\.com \(project 7\) answers 401 \(bad key\), so nothing .* its key may be/,
    ],
    [403, undefined, /answers 403 .* its key may be wrong/],
    [404, undefined, /answers 404 .* its host, path or project id may be wrong/],
    [405, undefined, /answers 405 .* its host, path or project id may be wrong/],
    [
      301,
      undefined,
      /answers 301 .* a redirect to https:\/\/new\.example\.com\/api, which is not followed: .* into the DSN/,
    ],
    [
      404,
      'https://me:pw@proxy.example.com/in?token=t',
      /^The tunnel https:\/\/proxy\.example\.com\/in answers 404 .*option tunnel/,
    ],
  ])('%d (tunnel: %s) is explained', (statusCode, tunnel, message) => {
    const headers = { location: 'https://new.example.com/api?key=1' };
    const explained = explainRefusal({ statusCode, reason: 'bad key', headers }, { dsn, tunnel });
    expect(explained).toMatch(message);
    expect(explained).not.toMatch(/secret|pw|token/);
  });

  it.each([400, 413, 500])('%s is explained when it is the third without an acceptance', (statusCode) => {
    expect(explainRefusal({ statusCode, reason: 'no' }, { dsn }, 2)).toBeUndefined();
    expect(explainRefusal({ statusCode, reason: 'no' }, { dsn }, 3)).toMatch(
      `has refused the first 3 requests of this process, the last with status ${statusCode} (no), so nothing has arrived`,
    );
  });

  it('500 is explained when it is the first, and the process ends', () => {
    expect(explainRefusal({ statusCode: 500, reason: 'no' }, { dsn }, 1, true)).toMatch(
      'has refused the first request of this process with status 500 (no), so nothing has arrived',
    );
  });

  it.each([200, 304, 400, 408, 413, 429, 500, 503, undefined])(
    '%s says nothing about later envelopes',
    (statusCode) => {
      expect(explainRefusal({ statusCode }, { dsn })).toBeUndefined();
    },
  );
});
