import type { Expect, Json } from './received.js';

/** Of events, traces and sessions. */
export const ID = /^[0-9a-f]{32}$/;
export const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const STATUSES = new Set(['ok', 'exited', 'crashed', 'abnormal']);

/** Checks an update of one session as a strict server would. */
export function checkSession(session: Json, expect: Expect): void {
  const { sid, init, started, timestamp, status, errors, duration, attrs } = session;
  expect(ID.test(sid), `sid ${sid} is not 32 hex characters`);
  expect(typeof init === 'boolean', `init ${init} is no boolean`);
  expect(ISO_UTC.test(started) && ISO_UTC.test(timestamp), `the session is from ${started} to ${timestamp}`);
  expect(!(started > timestamp), 'the session ends before it starts');
  expect(STATUSES.has(status), `the status ${status} of the session is unknown`);
  expect(isCount(errors), `the session has ${errors} errors`);
  expect(duration === undefined || duration >= 0, `the session lasted ${duration} seconds`);
  expect(attrs?.release, 'the session has no release');
}

/** Checks session counts as a strict server would. */
export function checkAggregates({ attrs, aggregates }: Json, expect: Expect): void {
  expect(attrs?.release, 'the sessions have no release');
  expect(Array.isArray(aggregates) && aggregates.length > 0, 'the aggregates are empty');
  for (const { started, exited = 0, errored = 0, crashed = 0 } of aggregates ?? []) {
    expect(ISO_UTC.test(started), `the sessions started at ${started}`);
    expect([exited, errored, crashed].every(isCount), `counts are ${exited}, ${errored} and ${crashed}`);
    expect(exited + errored + crashed > 0, 'a minute without sessions was sent');
  }
}

const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
