export { type FailingTransportOptions, failingTransport, type PlannedAnswer } from './failing-transport.js';
export { type FakeClock, fakeClock } from './fake-clock.js';
export type { NextOptions } from './inbox.js';
export {
  aMessage,
  anError,
  assertSent,
  aTransaction,
  type EventMatcher,
  type Expected,
  type ExpectedMembers,
  type Matcher,
  matches,
  type ShortNames,
} from './matchers.js';
export { type RecordOptions, recordEvents, reset } from './record-events.js';
export type { Kind, Recorded, RecordedItems } from './recorded.js';
export type { Recording } from './recording.js';
