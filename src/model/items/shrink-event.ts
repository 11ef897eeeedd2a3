import type { Event } from '../event/event.js';
import type { Stacktrace } from '../event/exception.js';

export type Cut = (event: Event) => Event;

/** What is removed from an event that a server finds too large, one after the other. */
export const EVENT_CUTS: readonly Cut[] = [
  withoutSources,
  withLatestBreadcrumbs,
  withLatestBreadcrumbs,
  withoutBreadcrumbs,
];

/** Whether there may be something to remove. An event that may shrink stays in memory until its answer. */
export function mayShrink({ type, breadcrumbs = [], extra, request }: Event): boolean {
  return type === undefined || breadcrumbs.length > 0 || extra !== undefined || request?.data !== undefined;
}

/** Removes source lines and local variables. */
function withoutSources(event: Event): Event {
  const { exception } = event;
  if (!exception?.values?.some(({ stacktrace }) => stacktrace)) return event;
  const values = exception.values.map((one) =>
    one.stacktrace ? { ...one, stacktrace: withoutLines(one.stacktrace) } : one,
  );
  return { ...event, exception: { ...exception, values } };
}

function withoutLines(stacktrace: Stacktrace): Stacktrace {
  const frames = stacktrace.frames?.map((frame) => {
    const { pre_context, context_line, post_context, vars, ...position } = frame;
    return position;
  });
  return { ...stacktrace, frames };
}

/** Keeps the later half of the breadcrumbs. */
function withLatestBreadcrumbs(event: Event): Event {
  const { breadcrumbs = [] } = event;
  return breadcrumbs.length < 2 ? event : { ...event, breadcrumbs: breadcrumbs.slice(-(breadcrumbs.length >> 1)) };
}

function withoutBreadcrumbs(event: Event): Event {
  return event.breadcrumbs?.length ? { ...event, breadcrumbs: [] } : event;
}
