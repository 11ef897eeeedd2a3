import { describe, expect, it } from 'vitest';
import { findClosestName } from '../../../src/internal/options/closest-name.js';
import { OPTIONS } from '../../../src/options.js';

const OPTION_NAMES = Object.keys(OPTIONS);

describe('the closest name of', () => {
  it.each([
    ['tracesSamplerate', 'tracesSampleRate'],
    ['traceSampleRate', 'tracesSampleRate'],
    ['tracesSamplingRate', 'tracesSampleRate'],
    ['DSN', 'dsn'],
    ['dns', 'dsn'],
    ['enviroment', 'environment'],
    ['beforesend', 'beforeSend'],
    ['ignoreError', 'ignoreErrors'],
    ['maxBreadCrumb', 'maxBreadcrumbs'],
    ['sendDefaultPII', 'sendDefaultPii'],
    ['debugg', 'debug'],
    ['normalizeMax', 'normalizeMaxBreadth'],
  ])('%s is %s', (name, meant) => {
    expect(findClosestName(name, OPTION_NAMES)).toBe(meant);
  });

  it.each(['', 'x', 'foo', 'profilesSampleRate2000', 'autoSessionTracking', 'instrumenter', 'a'.repeat(10_000)])(
    '%j is none of the options',
    (name) => {
      expect(findClosestName(name, OPTION_NAMES)).toBeUndefined();
    },
  );
});
