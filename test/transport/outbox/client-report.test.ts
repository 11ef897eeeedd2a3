import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type DiscardedEvents, Ledger } from '../../../src/model/delivery/ledger.js';
import type { OutgoingItem } from '../../../src/model/delivery/outbox.js';
import { ClientReporter } from '../../../src/transport/outbox/client-report.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const LOST: DiscardedEvents = { reason: 'before_send', category: 'error', quantity: 2 };

/** A reporter over a destination that takes reports when the test says so. */
function setUp() {
  const ledger = new Ledger();
  const sent: (readonly DiscardedEvents[])[] = [];
  const answers: ((isTaken: boolean) => void)[] = [];
  const items: OutgoingItem[] = [];
  const send = (item: OutgoingItem): Promise<boolean> => {
    items.push(item);
    sent.push((item.content[1] as { discarded_events: DiscardedEvents[] }).discarded_events);
    return new Promise((resolve) => answers.push(resolve));
  };
  const reporter = new ClientReporter(ledger, send, Date.now, 60_000);
  const lose = () => ledger.captureAndDiscard('before_send', [['error', 2]]);
  return { ledger, reporter, sent, items, answers, lose };
}

it('every minute what was lost is reported, once', async () => {
  const { sent, answers, lose } = setUp();
  lose();
  await vi.advanceTimersByTimeAsync(59_999);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual([[LOST]]);
  answers[0]!(true);
  await vi.advanceTimersByTimeAsync(180_000);
  expect(sent).toHaveLength(1);
});

it('a report is an item of its own, with its time in seconds, and counts as nothing', async () => {
  vi.setSystemTime(1_767_605_412_418);
  const { reporter, items, lose } = setUp();
  lose();
  void reporter.report();
  const payload = { timestamp: 1_767_605_412.418, discarded_events: [LOST] };
  expect(items).toEqual([{ content: [{ type: 'client_report' }, payload], quantities: [] }]);
});

it('nothing lost, no report', async () => {
  const { reporter, sent } = setUp();
  await reporter.report();
  expect(sent).toEqual([]);
});

it('what a lost report carried is in the next one, with what was lost since', async () => {
  const { reporter, sent, answers, lose } = setUp();
  lose();
  const first = reporter.report();
  lose();
  answers[0]!(false);
  await first;
  void reporter.report();
  expect(sent).toEqual([[LOST], [{ ...LOST, quantity: 4 }]]);
});

it('one report is under way at a time; whoever asks meanwhile gets the rest reported after it', async () => {
  const { reporter, sent, answers, lose } = setUp();
  lose();
  void reporter.report();
  lose();
  const isDone = vi.fn();
  void Promise.all([reporter.report(), reporter.report()]).then(isDone);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([[LOST]]);
  answers[0]!(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([[LOST], [LOST]]);
  expect(isDone).not.toHaveBeenCalled();
  answers[1]!(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(isDone).toHaveBeenCalled();
});

it('a report that is never answered lets no other one pile up behind it', async () => {
  const { sent, lose } = setUp();
  for (let minute = 0; minute < 5; minute++) {
    lose();
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect(sent).toEqual([[LOST]]);
});

it('a stopped reporter has no timer', () => {
  const { reporter } = setUp();
  expect(vi.getTimerCount()).toBe(1);
  reporter.stop();
  expect(vi.getTimerCount()).toBe(0);
});
