import { afterEach, beforeEach, expect, it } from 'vitest';
import * as Sentry from '../../src/sentry/sentry.js';
import { recordEvents, reset } from '../../src/testing/testing.js';

beforeEach(() => void recordEvents());
afterEach(() => reset());

const fail = () => {
  throw new Error('broken');
};

/** As `cron` does it. */
class CronJob {
  constructor(
    readonly cronTime: string,
    readonly onTick: (this: CronJob) => unknown,
  ) {}

  static from({ cronTime, onTick }: { cronTime: string; onTick: () => unknown }): CronJob {
    return new CronJob(cronTime, onTick);
  }
}

async function expectCaptured(transaction: string, run: (sent: unknown) => unknown): Promise<void> {
  const sent = recordEvents();
  expect(() => run(sent)).toThrow('broken');
  await sent.flush();
  expect(sent.errors).toMatchObject([{ transaction, exception: { values: [{ value: 'broken' }] } }]);
}

it('a job of cron has its errors captured, and stays a CronJob', async () => {
  const Wrapped = Sentry.cron.instrumentCron(CronJob, 'nightly');
  expect(new Wrapped('* * * * *', fail)).toBeInstanceOf(CronJob);
  await expectCaptured('nightly', () => new Wrapped('* * * * *', fail).onTick());
});

it('so has one that CronJob.from has made', async () => {
  const Wrapped = Sentry.cron.instrumentCron(CronJob, 'nightly');
  await expectCaptured('nightly', () => Wrapped.from({ cronTime: '* * * * *', onTick: fail }).onTick());
});

it('so have jobs of node-cron, by name', async () => {
  const library = {
    schedule: (_expression: string, job: () => unknown, _options?: { name: string }) => ({ job }),
    validate: () => true,
  };
  const wrapped = Sentry.cron.instrumentNodeCron(library);
  expect(wrapped.validate()).toBe(true);
  await expectCaptured('clean-up', () => wrapped.schedule('* * * * *', fail, { name: 'clean-up' }).job());
});

it('so have jobs of node-schedule, with a name and without', async () => {
  const library = {
    scheduleJob: (...args: unknown[]) => ({ job: args.find((one) => typeof one === 'function') as () => unknown }),
  };
  const wrapped = Sentry.cron.instrumentNodeSchedule(library);
  await expectCaptured('report', () => wrapped.scheduleJob('report', '* * * * *', fail).job());
  await expectCaptured('node-schedule', () => wrapped.scheduleJob('* * * * *', fail).job());
});
