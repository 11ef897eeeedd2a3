import { wrapJob } from '../frameworks/jobs.js';
import { INSTEAD, noteMissing } from './stubs/missing.js';

// biome-ignore lint/suspicious/noExplicitAny: stands for the functions of libraries with their own types.
type AnyFunction = (...args: any[]) => unknown;

/** The arguments with the job among them wrapped: the first function. */
function withJob(args: readonly unknown[], name: string): unknown[] {
  const index = args.findIndex((one) => typeof one === 'function');
  return args.map((one, i) => (i === index ? wrapJob(name, one as AnyFunction) : one));
}

/** Options of `CronJob.from`. */
function withTick(options: unknown, name: string): unknown {
  const { onTick } = (options ?? {}) as { onTick?: unknown };
  return typeof onTick === 'function'
    ? { ...(options as object), onTick: wrapJob(name, onTick as AnyFunction) }
    : options;
}

/** A library whose method wraps the job that it is given. */
function wrapMethod<Library extends object>(
  library: Library,
  method: string,
  nameOf: (args: readonly unknown[]) => string,
): Library {
  return new Proxy(library, {
    get(target, key, receiver) {
      const original: unknown = Reflect.get(target, key, receiver);
      if (key !== method || typeof original !== 'function') return original;
      return (...args: unknown[]) => Reflect.apply(original, target, withJob(args, nameOf(args)));
    },
  });
}

function noteCheckIns(name: string): void {
  noteMissing(`sending check-ins with cron.${name}`, INSTEAD.checkIns);
}

/** Captures the errors of jobs; sends no check-ins. */
export const cron = {
  /** @returns the class `CronJob` of `cron`, whose jobs are wrapped */
  instrumentCron<T extends object>(CronJob: T, monitorSlug: string): T {
    noteCheckIns('instrumentCron');
    return new Proxy(CronJob, {
      construct: (target, args, newTarget) =>
        Reflect.construct(target as unknown as AnyFunction, withJob(args, monitorSlug), newTarget) as object,
      get(target, key, receiver) {
        const original: unknown = Reflect.get(target, key, receiver);
        if (key !== 'from' || typeof original !== 'function') return original;
        return (options: unknown) => Reflect.apply(original, target, [withTick(options, monitorSlug)]);
      },
    });
  },

  /** @returns `node-cron`, whose `schedule` wraps jobs */
  instrumentNodeCron<T extends object>(nodeCron: T): T {
    noteCheckIns('instrumentNodeCron');
    return wrapMethod(nodeCron, 'schedule', (args) => {
      const { name } = (args[2] ?? {}) as { name?: unknown };
      return typeof name === 'string' ? name : 'node-cron';
    });
  },

  /** @returns `node-schedule`, whose `scheduleJob` wraps jobs */
  instrumentNodeSchedule<T extends object>(nodeSchedule: T): T {
    noteCheckIns('instrumentNodeSchedule');
    return wrapMethod(nodeSchedule, 'scheduleJob', ([name, , job]) =>
      typeof job === 'function' && typeof name === 'string' ? name : 'node-schedule',
    );
  },
};
