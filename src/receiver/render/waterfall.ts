import { toNumber, toObject, toObjects, toText } from '../read-json.js';
import type { Json } from '../received.js';
import { isErrorLevel, levelOf, serviceOf, traceContextOf, traceOf } from './describe-event.js';
import { toLine } from './inert.js';

const MAX_LEVEL_LENGTH = 10;

/** One span of a trace as a line of its waterfall. */
export type WaterfallRow = Readonly<ReturnType<typeof rowOf>>;

export type Waterfall = ReturnType<typeof createWaterfall>;

/**
 * The rows of a trace, with its `start` and `end` in Unix seconds.
 *
 * @param transactions payloads, all of one trace
 */
export function createWaterfall(transactions: readonly Json[]) {
  /** Parents before their children, siblings by their start; across processes. */
  const rows: readonly WaterfallRow[] = inTreeOrder(transactions.flatMap(rowsOf));
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    start = Math.min(start, row.start);
    end = Math.max(end, row.end);
  }
  const services = [...new Set(rows.map(({ service }) => service))];
  return rows.length === 0 ? { rows, start: 0, end: 0, services } : { rows, start, end, services };
}

/** The root of the transaction and its spans. */
function rowsOf(transaction: Json): WaterfallRow[] {
  const { transaction: description, start_timestamp, timestamp, spans } = transaction;
  const root = { ...traceContextOf(transaction), description, start_timestamp, timestamp };
  const service = serviceOf(transaction) || '?';
  return [root, ...toObjects(spans)].map((span) => rowOf(span, service));
}

function rowOf(span: Json, service: string) {
  const start = toNumber(span['start_timestamp']) ?? 0;
  return {
    spanId: toText(span['span_id']),
    parentId: toText(span['parent_span_id']),
    op: toText(span['op']),
    description: toText(span['description']),
    status: toText(span['status']),
    service,
    /** Unix seconds, like the end. */
    start,
    end: Math.max(toNumber(span['timestamp']) ?? start, start),
    /** Number of its ancestors in the trace. */
    depth: 0,
    attributes: toObject(span['data']),
  };
}

/** A row whose parent is missing is not indented, like a root. Rows that are their own ancestors begin at the earliest. */
function inTreeOrder(rows: readonly WaterfallRow[]): WaterfallRow[] {
  const byStart = rows.toSorted((a, b) => a.start - b.start);
  const spanIds = new Set(rows.map(({ spanId }) => spanId));
  const childrenOf = new Map<string, WaterfallRow[]>();
  const roots: WaterfallRow[] = [];
  for (const row of byStart) {
    const siblings = childrenOf.get(row.parentId);
    if (!spanIds.has(row.parentId) || row.parentId === row.spanId) roots.push(row);
    else if (siblings) siblings.push(row);
    else childrenOf.set(row.parentId, [row]);
  }
  const ordered: WaterfallRow[] = [];
  const placed = new Set<WaterfallRow>();
  for (const root of [...roots, ...byStart]) {
    const waiting = [{ row: root, depth: 0 }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { row, depth } = next;
      if (placed.has(row)) continue;
      placed.add(row);
      ordered.push({ ...row, depth });
      const children = childrenOf.get(row.spanId) ?? [];
      for (const child of children.toReversed()) waiting.push({ row: child, depth: depth + 1 });
    }
  }
  return ordered;
}

/** An error or a message with the span that it belongs to, and its time in Unix seconds. */
export interface PlacedError {
  readonly spanId: string;
  readonly level: string;
  readonly time: number;
}

/** A line of a trace; the depth of an error is that of its span. */
type TraceLine<Item> =
  | { readonly row: WaterfallRow; readonly hasError: boolean }
  | { readonly error: Item; readonly depth: number };

/** The rows, each with the errors of its span below it. Errors outside of all spans stand among the roots, by their time. */
export function linesOf<Item extends PlacedError>({ rows }: Waterfall, errors: readonly Item[]): TraceLine<Item>[] {
  const errorsOf = new Map<string, Item[]>(rows.map(({ spanId }) => [spanId, []]));
  const outside: Item[] = [];
  for (const error of errors) (errorsOf.get(error.spanId) ?? outside).push(error);
  outside.sort((a, b) => a.time - b.time);
  const lines: TraceLine<Item>[] = [];
  const add = (some: readonly Item[], depth: number) => lines.push(...some.map((error) => ({ error, depth })));
  for (const row of rows) {
    const later = outside.findIndex(({ time }) => row.depth > 0 || time >= row.start);
    add(outside.splice(0, later < 0 ? outside.length : later), 0);
    const own = errorsOf.get(row.spanId) ?? [];
    errorsOf.delete(row.spanId);
    lines.push({ row, hasError: own.some(({ level }) => isErrorLevel(level)) });
    add(own, row.depth);
  }
  add(outside, 0);
  return lines;
}

/** Where the error of an event belongs. One without a time comes last. */
export function placeOf(event: Json): PlacedError {
  const time = toNumber(event['timestamp']) ?? Number.MAX_SAFE_INTEGER;
  return { spanId: traceOf(event).spanId, level: toLine(levelOf(event), MAX_LEVEL_LENGTH), time };
}
