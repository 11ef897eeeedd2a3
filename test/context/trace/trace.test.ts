import { expect, it } from 'vitest';
import { organizationOf } from '../../../src/context/trace/trace.js';
import { resolveOptions } from '../../../src/options.js';
import { parseDsn } from '../../../src/transport/dsn.js';

it.each([
  ['o123.ingest.example.com', '123'],
  ['o123', undefined],
  ['errors.example.com', undefined],
  ['to123.example.com', undefined],
])('the organization of the host %s is %s, and the option `orgId` wins', (host, organization) => {
  const dsn = parseDsn(`https://ab12@${host}/42`);
  expect(organizationOf({ settings: resolveOptions({}, {}), dsn })).toBe(organization);
  expect(organizationOf({ settings: resolveOptions({ orgId: 7 }, {}), dsn })).toBe('7');
});
