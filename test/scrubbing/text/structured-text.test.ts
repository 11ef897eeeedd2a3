import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { obfuscateSql } from '../../../src/scrubbing/obfuscate-sql.js';
import { sensitiveNames } from '../../../src/scrubbing/sensitive-names.js';
import { filterFields, filterText } from '../../../src/scrubbing/text/structured-text.js';
import { filterUrl } from '../../../src/scrubbing/urls.js';
import fc from '../../support/fast-check.js';
import { growthOf } from '../../support/growth.js';

const NAMES = sensitiveNames(false);

it.each<[what: string, text: string, expected: string]>([
  ['JSON', '{"a":1,"password":"x"}', '{"a":1,"password":"[Filtered]"}'],
  ['JSON as it is written', '{ "a" : 1.0, "token" : [ 1 ] }', '{ "a" : 1.0, "token" : "[Filtered]" }'],
  ['JSON without secrets', '{ "a": "b", "author": "me" }', '{ "a": "b", "author": "me" }'],
  ['nothing but a bracket', '{', '{'],
  ['a list of objects', '[{"pin":1},{"pin":-2.5e3}]', '[{"pin":"[Filtered]"},{"pin":"[Filtered]"}]'],
  [
    'values of all kinds, but not out of none, yes and no',
    '{"pin":1,"sid":{},"sig":[],"psk":"null","otp":null,"mfa":true,"csrf":false,"pw":undefined}',
    '{"pin":"[Filtered]","sid":"[Filtered]","sig":"[Filtered]","psk":"[Filtered]","otp":null,"mfa":true,"csrf":false,"pw":undefined}',
  ],
  [
    'values beside names',
    '[{"name":"token","value":"x"},{"name":"a","value":"b"}]',
    '[{"name":"token","value":"[Filtered]"},{"name":"a","value":"b"}]',
  ],
  ['a private key', '{"kty":"oct","k":"x8Qz3vT6kW1"}', '{"kty":"oct","k":"[Filtered]"}'],
  ['nested values', '{"auth":{"a":{"b":["}"]}},"c":1}', '{"auth":"[Filtered]","c":1}'],
  [
    'names of several words',
    '{"a":{"userPin":{},"mailSid":1}}',
    '{"a":{"userPin":"[Filtered]","mailSid":"[Filtered]"}}',
  ],
  ['an escaped name', '{"pass\\u0077ord":"x"}', '{"pass\\u0077ord":"[Filtered]"}'],
  ['escaped quotes', '{"token":"a\\"b","c":1}', '{"token":"[Filtered]","c":1}'],
  ['a cut text', '{"a":1,"password":"x...', '{"a":1,"password":"[Filtered]"...'],
  ['a cut object', '{"auth":{"a":"x...', '{"auth":"[Filtered]"...'],
  ['a cut name', '{"a":1,"passw...', '{"a":1,"passw...'],
  ['a missing value', '{"password":}', '{"password":}'],
  ['words without quotes', '{ password: my very own, a: 1 }', '{ password: "[Filtered]"'],
  [
    'texts that are JSON',
    '{"a":"{\\"token\\":\\"x\\",\\"b\\":1}"}',
    '{"a":"{\\"token\\":\\"[Filtered]\\",\\"b\\":1}"}',
  ],
  ['texts that are forms', '{"a":"b=1&token=x"}', '{"a":"b=1&token=[Filtered]"}'],
  ['texts of unknown form', '{"a":"login(password: 1)"}', '{"a":"[Filtered]"}'],
  [
    'variables of GraphQL',
    '{"query":"mutation($p:String!){a(password:$p)}","variables":{"p":"x","q":1}}',
    '{"query":"[Filtered]","variables":{"p":"[Filtered]","q":1}}',
  ],
  [
    'sentences',
    '{"a":"I forgot my password: what now?","b":"my password: hunter2x"}',
    '{"a":"I forgot my password: what now?","b":"my password: [Filtered]"}',
  ],
  ['validation', '{"errors":{"password":"is too short"}}', '{"errors":{"password":"is too short"}}'],
  [
    'statements',
    `{"sql":"SELECT id FROM auth_users WHERE state = 'open'"}`,
    `{"sql":"SELECT id FROM auth_users WHERE state = 'open'"}`,
  ],
  ['texts about secrets', '{"a":"I forgot my password"}', '{"a":"I forgot my password"}'],
  ['lines of JSON', '{"token":"x"}\n{"a":1}', '{"token":"[Filtered]"}\n{"a":1}'],
  ['a form', 'a=1&token=x', 'a=1&token=[Filtered]'],
  ['a cut form', 'a=1&token=x...', 'a=1&token=[Filtered]...'],
  ['XML', '<a><password>x</password></a>', '[Filtered]'],
  ['prose', 'hello, world', 'hello, world'],
  ['nothing', '', ''],
])('secrets are taken out of %s', (_, text, expected) => {
  expect(filterText(text, NAMES)).toBe(expected);
});

it('what was said to be a form is read as one, and as JSON where it begins like it', () => {
  expect(filterText('a b=1&token=x', NAMES, true)).toBe('a b=1&token=[Filtered]');
  expect(filterText('{"token":"x"}', NAMES, true)).toBe('{"token":"[Filtered]"}');
  expect(filterText('[a]=1&token=x', NAMES, true)).toBe('[a]=1&token=[Filtered]');
});

it('a name of several words is mentioned where it would be a field', () => {
  for (const name of ['userPin', 'mailSid', 'homeLat']) {
    const names = sensitiveNames(name !== 'homeLat');
    expect([name, names.hasField(name), names.areMentionedIn(`{"${name}":1}`)]).toEqual([name, true, true]);
  }
});

describe('whatever JSON looks like', () => {
  const secret = fc.stringMatching(/^Z[a-z]{10}Z$/);
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean());
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('any')), fc.dictionary(fc.string(), tie('any'))),
  })).any;

  it('a secret in it does not leave, wherever the text is cut', () => {
    fc.assert(
      fc.property(secret, value, value, fc.nat(), (text, before, after, cut) => {
        const json = JSON.stringify({
          a: before,
          list: [{ password: text, deep: { token: [{ x: text }] } }],
          b: after,
        });
        for (const part of [json, `${json.slice(0, cut % json.length)}...`]) {
          expect(filterText(part, NAMES)).not.toContain(text.slice(0, 6));
        }
      }),
    );
  });

  it('it is still JSON, and the rest as it was', () => {
    fc.assert(
      fc.property(value, (rest) => {
        const filtered = JSON.parse(filterFields(JSON.stringify({ password: rest, b: 1 }), NAMES));
        const isBare = rest === null || typeof rest === 'boolean';
        expect(filtered).toEqual({ password: isBare ? rest : '[Filtered]', b: 1 });
        const harmless = JSON.stringify({ a: rest });
        if (!NAMES.areMentionedIn(harmless)) expect(filterFields(harmless, NAMES)).toBe(harmless);
      }),
    );
  });

  it('a secret in what `inspect` makes of an object does not leave', () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.constantFrom("'", '"', '`', '\\', '\n', ''), (text, other, quote) => {
        const inspected = inspect({ a: other, token: quote + text + quote, b: { password: [text] } });
        expect(filterFields(inspected, NAMES)).not.toContain(text);
      }),
    );
  });
});

it('anything takes linear time', () => {
  const parts = ['a', 'eyJaaaaaa-', '://a:1', '=', '%70', '"', '\\"', '{"token":{', 'password ', ';', "'", '$a$', '/*'];
  for (const part of parts) {
    const growth = growthOf(
      2 ** 14,
      (size) => part.repeat(Math.ceil(size / part.length)),
      (text) => {
        filterText(`{"password":1,"a":"${text}`, NAMES);
        filterText(`password=1&${text}@`, NAMES, true);
        filterUrl(`/a?${text}@`, NAMES);
        obfuscateSql(`SELECT ${text}`, 'mysql');
      },
    );
    expect(growth, part).toBeLessThan(32);
  }
});
