import { count, flag, nonEmptyString, type OptionRow, parseObject } from './option-rows.js';
import { membersOf } from './parse-row.js';

/** The defaults are where the options are used. */
const BY_DEFAULT = { consequence: 'the default is used instead' };

export const STORE_ROWS = {
  directory: { ...nonEmptyString(), ...BY_DEFAULT },
  maxBytes: { ...count(), ...BY_DEFAULT },
  maxItems: { ...count(), ...BY_DEFAULT },
  maxAgeMillis: { ...count(), ...BY_DEFAULT },
  transactions: { ...flag(), ...BY_DEFAULT },
} satisfies Record<string, OptionRow>;

const store = membersOf('transportOptions.store', STORE_ROWS);

/** Proxies and certificates are checked where they are used. */
const unchecked: OptionRow = { expected: 'any value', parse: (value) => value };

export const TRANSPORT_ROWS = {
  headers: { expected: 'an object', parse: parseObject },
  bufferSize: { ...count(), ...BY_DEFAULT },
  timeoutMillis: {
    expected: 'milliseconds, a number above 0',
    parse: (value) => (typeof value === 'number' && value > 0 ? value : undefined),
    ...BY_DEFAULT,
  },
  proxy: unchecked,
  caCerts: unchecked,
  store: {
    expected: 'false or an object',
    parse: (value, ...warns) => (value === false ? value : store.parse(value, ...warns)),
    ...BY_DEFAULT,
  },
} satisfies Record<string, OptionRow>;
