import { describe, expect, it } from 'vitest';
import { MalformedEnvelopeError, parseEnvelope } from '../../src/receiver/parse-envelope.js';

const parse = (text: string) => {
  const { headers, items } = parseEnvelope(Buffer.from(text));
  return [headers, ...items.map(({ headers, payload }) => [headers, payload.toString()])];
};

describe('an envelope', () => {
  it.each([
    ['without items', '{}', [{}]],
    ['without items, ended by a line feed', '{}\n', [{}]],
    ['with a length', '{}\n{"type":"event","length":2}\n{}', [{}, [{ type: 'event', length: 2 }, '{}']]],
    ['ended by a line feed', '{}\n{"type":"event","length":2}\n{}\n', [{}, [{ type: 'event', length: 2 }, '{}']]],
    ['without a length, up to the end', '{}\n{"type":"event"}\n{"a":1}', [{}, [{ type: 'event' }, '{"a":1}']]],
    [
      'without a length, up to the next line feed',
      '{}\n{"type":"event"}\n{"a":1}\n{"type":"x"}\ny',
      [{}, [{ type: 'event' }, '{"a":1}'], [{ type: 'x' }, 'y']],
    ],
    ['with line feeds in a payload', '{}\n{"type":"x","length":3}\na\nb\n', [{}, [{ type: 'x', length: 3 }, 'a\nb']]],
    ['with an empty payload', '{}\n{"type":"x","length":0}\n', [{}, [{ type: 'x', length: 0 }, '']]],
    [
      'with an empty payload before another item',
      '{}\n{"type":"x","length":0}\n\n{"type":"y","length":1}\nz',
      [{}, [{ type: 'x', length: 0 }, ''], [{ type: 'y', length: 1 }, 'z']],
    ],
    [
      'with a length in bytes, not characters',
      '{}\n{"type":"x","length":4}\n😀',
      [{}, [{ type: 'x', length: 4 }, '😀']],
    ],
    ['with a carriage return, which is payload', '{}\n{"type":"x"}\na\r\n', [{}, [{ type: 'x' }, 'a\r']]],
    ['with an unknown type', '{}\n{"type":"novelty","length":1}\n1', [{}, [{ type: 'novelty', length: 1 }, '1']]],
  ])('%s is read', (_, text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it('keeps payloads that are no text as they are', () => {
    const bytes = Buffer.from([0xff, 0x0a, 0x00, 0x0d]);
    const { items } = parseEnvelope(Buffer.concat([Buffer.from('{}\n{"type":"attachment","length":4}\n'), bytes]));
    expect(items.map(({ payload }) => payload)).toEqual([bytes]);
  });

  it('is read from the part of a buffer that a view shows', () => {
    const bytes = new Uint8Array(Buffer.from('xx{"a":1}xx')).subarray(2, 9);
    expect(parseEnvelope(bytes).headers).toEqual({ a: 1 });
  });

  it.each([
    ['nothing', '', /header line is not JSON \(byte 0\)/],
    ['a header that is not JSON', '{', /not JSON/],
    ['a header that is no object', '[]', /not a JSON object/],
    ['a header that is null', 'null', /not a JSON object/],
    ['an item header that is not JSON', '{}\nevent\n{}', /not JSON \(byte 3\)/],
    ['an item without a type', '{}\n{"length":2}\n{}', /no type/],
    ['an item without a payload', '{}\n{"type":"event"}', /no payload/],
    ['a payload shorter than its length', '{}\n{"type":"event","length":3}\n{}', /3 bytes ends after 2/],
    ['a payload longer than its length', '{}\n{"type":"event","length":1}\n{}', /no line feed follows/],
    ['a length in characters', '{}\n{"type":"event","length":2}\n😀', /no line feed follows/],
    ['a length that is no number', '{}\n{"type":"event","length":"2"}\n{}', /length is "2"/],
    ['a negative length', '{}\n{"type":"event","length":-1}\n{}', /length is -1/],
    ['a fraction as length', '{}\n{"type":"event","length":1.5}\n{}', /length is 1.5/],
    ['null as length', '{}\n{"type":"event","length":null}\n{}', /length is null/],
    ['an empty line between items', '{}\n{"type":"x","length":1}\ny\n\n{"type":"x","length":1}\ny', /not JSON/],
    ['two line feeds at the end', '{}\n{"type":"x","length":1}\ny\n\n', /not JSON/],
  ])('%s is malformed', (_, text, message) => {
    expect(() => parse(text)).toThrow(MalformedEnvelopeError);
    expect(() => parse(text)).toThrow(message);
  });

  it('whose header is no UTF-8 is malformed', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(() => parseEnvelope(bytes)).toThrow(MalformedEnvelopeError);
  });
});
