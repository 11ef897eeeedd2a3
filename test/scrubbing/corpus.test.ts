import { describe, expect, it } from 'vitest';
import { maskCredentials, maskText } from '../../src/scrubbing/credentials.js';
import { filterHeader } from '../../src/scrubbing/headers.js';
import { LOOKS } from '../../src/scrubbing/looks/looks.js';
import { sensitiveNames } from '../../src/scrubbing/sensitive-names.js';
import { filterText } from '../../src/scrubbing/text/structured-text.js';
import { filterQuery } from '../../src/scrubbing/urls.js';
import {
  HARMLESS_NAMES,
  HARMLESS_TEXTS,
  MORE_HARMLESS_TEXTS,
  MORE_SECRET_TEXTS,
  MORE_TOKENS,
  SECRET_NAMES,
  SECRET_TEXTS,
  TOKENS,
} from './corpus.js';
import {
  HARMLESS_NAMES_BY_ORIGIN,
  HARMLESS_TEXTS_BY_ORIGIN,
  SECRET_NAMES_BY_ORIGIN,
  SECRET_TEXTS_BY_ORIGIN,
  TOKENS_BY_ORIGIN,
} from './corpus-by-origin.js';
import {
  MESSAGES_WITH_OTHER_VALUES,
  MESSAGES_WITH_PLAIN_VALUES,
  NUMBER_MESSAGES,
  SECRET_MESSAGES,
  SECRET_MESSAGES_WITHOUT_NAME,
  SHORT_SECRET_MESSAGES,
  TOKENS_OF_SERVICES,
} from './corpus-of-messages.js';
import { HARMLESS_MESSAGES } from './harmless-messages.js';

const SECRET = 'x8Qz3vT6kW1';
const SHORT_SECRET = 'hunter2';
const NAMES = sensitiveNames(true);

/** What leaves of a value of this name, as a field, a header, a parameter and a member of a body. */
function leaving(name: string): Record<string, boolean> {
  return {
    field: !NAMES.hasField(name),
    header: filterHeader(name.toLowerCase(), SECRET, NAMES) === SECRET,
    parameter: filterQuery(`a=1&${name}=${SECRET}`, NAMES).includes(SECRET),
    body: filterText(JSON.stringify({ [name]: SECRET }), NAMES).includes(SECRET),
  };
}

it('has more than 300 shapes', () => {
  const lists = [SECRET_NAMES, HARMLESS_NAMES, TOKENS, SECRET_TEXTS, HARMLESS_TEXTS];
  expect(lists.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(300);
});

describe('no value leaves under the name', () => {
  it.each([...SECRET_NAMES, ...SECRET_NAMES_BY_ORIGIN])('%s', (name) => {
    expect(leaving(name)).toEqual({ field: false, header: false, parameter: false, body: false });
  });
});

describe('a value leaves under the name', () => {
  it.each([...HARMLESS_NAMES, ...HARMLESS_NAMES_BY_ORIGIN])('%s', (name) => {
    expect(leaving(name)).toEqual({ field: true, header: true, parameter: true, body: true });
  });
});

describe('a token does not leave, whatever its name', () => {
  it.each([...TOKENS, ...MORE_TOKENS, ...TOKENS_BY_ORIGIN, ...TOKENS_OF_SERVICES])('%s', (_, token) => {
    const rest = token.slice(-8);
    for (const text of [token, `with ${token} in it`, `"${token}"`, `a=${token}`]) {
      expect(maskCredentials(text, NAMES), text).not.toContain(rest);
    }
    if (!LOOKS.some((look) => look.startsWith('\\b') && new RegExp(`^${look.replace(' ', '')}`).test(token))) return;
    for (const before of ['a\\n', 'a\\r\\n', '\\u0022', '\\x27', '%22', '%2522', '%3D', 'metadata_']) {
      expect(maskCredentials(before + token, NAMES), before).not.toContain(rest);
    }
  });
});

describe('a secret does not leave in', () => {
  it.each([
    ...SECRET_TEXTS,
    ...MORE_SECRET_TEXTS,
    ...SECRET_TEXTS_BY_ORIGIN,
    ...SECRET_MESSAGES,
    ...SECRET_MESSAGES_WITHOUT_NAME,
  ])('%s', (text) => {
    expect(maskText(text.replaceAll('SECRET', SECRET), NAMES)).not.toContain(SECRET);
  });
});

describe('a short secret does not leave in', () => {
  it.each(SHORT_SECRET_MESSAGES)('%s', (text) => {
    expect(maskText(text.replaceAll('SECRET', SHORT_SECRET), NAMES)).not.toContain(SHORT_SECRET);
  });
});

describe('a number, or a value of another form, does not leave in', () => {
  it.each([...NUMBER_MESSAGES, ...MESSAGES_WITH_OTHER_VALUES, ...MESSAGES_WITH_PLAIN_VALUES])('%s', (text) => {
    expect(maskText(text, NAMES)).toContain('[Filtered]');
  });
});

describe('nothing is missing of', () => {
  it.each([...HARMLESS_TEXTS, ...MORE_HARMLESS_TEXTS, ...HARMLESS_TEXTS_BY_ORIGIN, ...HARMLESS_MESSAGES])(
    '%s',
    (text) => {
      expect(maskText(text, NAMES)).toBe(text);
    },
  );
});

it('no word of at most 15 letters is masked, so that such words need not be searched', () => {
  const texts = [SECRET_NAMES, SECRET_NAMES_BY_ORIGIN, SECRET_TEXTS, MORE_SECRET_TEXTS, SECRET_TEXTS_BY_ORIGIN].flat();
  const tokens = [TOKENS, MORE_TOKENS, TOKENS_BY_ORIGIN].flat().map(([, token]) => token);
  const words = [...new Set([...texts, ...tokens].flatMap((text) => text.match(/[A-Za-z]{1,15}/g) ?? []))];
  const pairs = words.flatMap((word, i) => [word, `${word}${words[(i * 7) % words.length]}`.slice(0, 15)]);
  expect(pairs.length).toBeGreaterThan(500);
  // The space makes it more than a word.
  for (const word of pairs) expect(maskText(`${word} `, NAMES)).toBe(`${word} `);
});
