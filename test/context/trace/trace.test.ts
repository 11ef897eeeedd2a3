import { afterEach, expect, it } from 'vitest';
import { type ClientOptions, close, getTraceData, init } from '../../../src/index.js';
import { resetOpenTelemetry } from '../../support/story.js';

afterEach(async () => {
  await close();
  resetOpenTelemetry();
});

const dsnOf = (host: string) => `https://0123456789abcdef0123456789abcdef@${host}/42`;

it.each<[source: string, options: ClientOptions, organization: string | undefined]>([
  ['the first label of the DSN host', { dsn: dsnOf('o123.ingest.example.com') }, '123'],
  ['the option orgId before the DSN host', { dsn: dsnOf('o123.ingest.example.com'), orgId: 7 }, '7'],
  ['no host of a single label', { dsn: dsnOf('o123') }, undefined],
  ['no host without an organization', { dsn: dsnOf('errors.example.com') }, undefined],
  ['no label that only ends like one', { dsn: dsnOf('to123.example.com') }, undefined],
])('the organization in outgoing baggage comes from %s', (_, options, organization) => {
  init(options);
  const members = (getTraceData().baggage ?? '').split(',');
  expect(members).toContain('sentry-environment=production');
  expect(members.filter((member) => member.startsWith('sentry-org_id='))).toEqual(
    organization === undefined ? [] : [`sentry-org_id=${organization}`],
  );
});
