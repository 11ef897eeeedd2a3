// A worker of a queue, or a cron job, that fails in each way; the library is named by LIBRARY.
import { createServer } from 'node:http';
import { close, getClient, init, setTag, startSpan } from 'faultline';
import { wrapJob } from 'faultline/jobs';
import { announce } from '../../support/services/announce.mjs';

const { DSN, LIBRARY, PACKAGE, URL: url } = process.env;

init({ dsn: DSN, tracesSampleRate: 1 });

const later = () => new Promise((resolve) => setTimeout(resolve, 5));
const WAYS = {
  sync() {
    throw new Error('sync');
  },
  async rejection() {
    await later();
    throw new Error('rejection');
  },
  string: () => Promise.reject('string'),
  span: () => startSpan({ name: 'step' }, () => Promise.reject(new Error('span'))),
  fine: () => 'fine',
};

const work = async (way) => {
  setTag('way', way);
  return WAYS[way]();
};

const attempts = {};
const count = (way) => {
  attempts[way] = (attempts[way] ?? 0) + 1;
};

/** Each runs every way and resolves to what stops it. */
const LIBRARIES = {
  async croner({ Cron }) {
    const jobs = Object.keys(WAYS).map(
      (way) =>
        new Cron(
          '* * * * * *',
          { maxRuns: 1, catch: (error) => count(error?.message ?? error) },
          wrapJob(way, () => work(way)),
        ),
    );
    return () => {
      for (const job of jobs) job.stop();
    };
  },
  async 'node-cron'({ default: cron }) {
    const tasks = Object.keys(WAYS).map((way) => {
      const run = wrapJob(way, () => work(way));
      let hasRun = false;
      const once = () => {
        if (hasRun) return undefined;
        hasRun = true;
        return run();
      };
      return cron.schedule('* * * * * *', once, { scheduled: true });
    });
    return () => Promise.all(tasks.map((task) => task.stop()));
  },
  async 'pg-boss'({ default: PgBoss }) {
    const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false });
    boss.on('error', () => undefined);
    await boss.start();
    await boss.createQueue('mails');
    await boss.work(
      'mails',
      { pollingIntervalSeconds: 0.5 },
      wrapJob('mails', ([job]) => work(job.data.way)),
    );
    for (const way of Object.keys(WAYS)) await boss.send('mails', { way }, { retryLimit: 0 });
    return () => boss.stop({ graceful: false });
  },
  async bullmq({ Queue, Worker }) {
    const connection = { url, maxRetriesPerRequest: null };
    const queue = new Queue('mails', { connection });
    await queue.obliterate({ force: true });
    for (const way of Object.keys(WAYS)) await queue.add(way, { way }, { attempts: way === 'sync' ? 2 : 1 });
    const worker = new Worker(
      'mails',
      wrapJob('mails', (job) => work(job.data.way)),
      { connection },
    );
    worker.on('error', () => undefined);
    return async () => {
      await worker.close();
      await queue.close();
    };
  },
};

const stop = await LIBRARIES[LIBRARY](await import(PACKAGE));
const server = createServer().listen(0, '127.0.0.1', () => announce(server, { close, getClient }, stop));
