import { isErrorLevel } from '../../receiver/render/describe-event.js';
import type { EventSummary } from '../dev/summary.js';

/** The events of one group. */
export interface Issue {
  readonly group: string;
  latest: EventSummary;
  firstMillis: number;
  /** Oldest first. */
  readonly numbers: Set<number>;
}

/** What is known of a trace without its spans; times are Unix milliseconds. */
export type TraceEntry = ReturnType<typeof createEntry>;

/** The newest events, grouped to issues and traces as they arrive: an event costs the same, however many there are. */
export class Collection {
  readonly events = new Map<number, EventSummary>();
  /** Those with the newest events last. */
  readonly issues = new Map<string, Issue>();
  /** Those with the newest events last. */
  readonly traces = new Map<string, TraceEntry>();
  readonly #maxEvents: number;

  constructor(maxEvents: number) {
    this.#maxEvents = maxEvents;
  }

  add(summary: EventSummary): void {
    if (this.events.has(summary.number)) return;
    this.events.set(summary.number, summary);
    if (summary.kind === 'error') this.#addToIssue(summary);
    if (summary.traceId !== '') this.#addToTrace(summary);
    if (this.events.size > this.#maxEvents) this.#removeOldest();
  }

  /** Issues that have an event with all the words, newest first. */
  findIssues(words: readonly string[]): Issue[] {
    if (words.length === 0) return [...this.issues.values()].reverse();
    const groups = new Set(this.#find(words).map(({ group }) => group));
    return [...this.issues.values()].filter(({ group }) => groups.has(group)).reverse();
  }

  /** Traces that have a transaction, and an event with all the words, newest first. */
  findTraces(words: readonly string[]): TraceEntry[] {
    const traces = [...this.traces.values()].filter(({ spanCount }) => spanCount > 0).reverse();
    if (words.length === 0) return traces;
    const traceIds = new Set(this.#find(words).map(({ traceId }) => traceId));
    return traces.filter(({ traceId }) => traceIds.has(traceId));
  }

  #find(words: readonly string[]): EventSummary[] {
    return [...this.events.values()].filter(({ search }) => words.every((word) => search.includes(word)));
  }

  #addToIssue(summary: EventSummary): void {
    const { group, number, timeMillis } = summary;
    const issue = this.issues.get(group) ?? { group, latest: summary, firstMillis: timeMillis, numbers: new Set() };
    issue.latest = summary;
    issue.numbers.add(number);
    moveToEnd(this.issues, group, issue);
  }

  #addToTrace(summary: EventSummary): void {
    const { traceId, number, timeMillis, duration, kind, level, spanCount, service, isRoot, title } = summary;
    const isNew = !this.traces.has(traceId);
    const trace = this.traces.get(traceId) ?? createEntry(traceId, title);
    trace.numbers.add(number);
    if (kind === 'error') trace.errorCount += Number(isErrorLevel(level));
    else {
      if (isRoot || trace.spanCount === 0) trace.name = title;
      trace.start = Math.min(trace.start, timeMillis - duration);
      trace.end = Math.max(trace.end, timeMillis);
      trace.spanCount += spanCount;
      if (service) trace.services.add(service);
    }
    if (isNew || kind === 'transaction') moveToEnd(this.traces, traceId, trace);
  }

  #removeOldest(): void {
    const [oldest] = this.events.values();
    if (oldest === undefined) return;
    this.events.delete(oldest.number);
    const issue = this.issues.get(oldest.group);
    issue?.numbers.delete(oldest.number);
    if (issue?.numbers.size === 0) this.issues.delete(oldest.group);
    const trace = this.traces.get(oldest.traceId);
    trace?.numbers.delete(oldest.number);
    if (trace?.numbers.size === 0) this.traces.delete(oldest.traceId);
  }
}

function createEntry(traceId: string, name: string) {
  return {
    traceId,
    name,
    start: Number.POSITIVE_INFINITY,
    end: 0,
    spanCount: 0,
    errorCount: 0,
    services: new Set<string>(),
    numbers: new Set<number>(),
  };
}

function moveToEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}
