/** @typedef {Record<string, any>} Json */

const BAR_WIDTH = 32;
const MAX_DESCRIPTION = 56;
const INDENT = '  ';

/**
 * One line of a waterfall. Times in Unix seconds.
 *
 * @typedef {object} Row
 * @property {string} spanId
 * @property {string} [parentId]
 * @property {string} op
 * @property {string} description
 * @property {string} service
 * @property {number} start
 * @property {number} end
 * @property {number} depth
 */

/**
 * A distributed trace as a waterfall: one line per span with bar, duration, op, description and service. Children are
 * indented under their parents, across processes, and errors are shown under their span.
 *
 * @param {Json[]} transactions payloads, all of one trace
 * @param {Json[]} [errors] error events of the same trace
 */
export function renderTrace(transactions, errors = []) {
  const rows = inTreeOrder(transactions.flatMap(rowsOf));
  const start = Math.min(...rows.map((row) => row.start));
  const end = Math.max(...rows.map((row) => row.end));
  const services = [...new Set(rows.map(({ service }) => service))].join(' → ');
  const opWidth = longest(rows.map(({ op }) => op));
  const descriptionWidth = longest(rows.map(describe));

  const lineOf = (/** @type {Row} */ row) => {
    const columns = [
      barOf(row, start, end),
      formatMillis(row.end - row.start).padStart(9),
      row.op.padEnd(opWidth),
      describe(row).padEnd(descriptionWidth),
      row.service,
    ];
    const own = errors.filter((error) => spanIdOf(error) === row.spanId);
    return [columns.join('  '), ...own.map((error) => errorLine(error, row.depth))];
  };
  const spanIds = new Set(rows.map(({ spanId }) => spanId));
  const elsewhere = errors.filter((error) => !spanIds.has(spanIdOf(error)));
  const facts = [plural(rows.length, 'span'), plural(errors.length, 'error'), formatMillis(end - start), services];
  return [
    `trace ${transactions[0]?.['contexts'].trace.trace_id}: ${facts.join(', ')}`,
    ...rows.flatMap(lineOf),
    ...elsewhere.map((error) => errorLine(error, 0)),
  ].join('\n');
}

/**
 * An error event: type and value of the caught exception and of its causes, the culprit frame, tags and user, and the
 * span it belongs to.
 *
 * @param {Json} event
 */
export function renderError(event) {
  const [caught, ...causes] = [...(event['exception']?.values ?? [])].reverse();
  const trace = event['contexts']?.trace;
  const place = `trace ${trace?.trace_id} in ${event['server_name']}`;
  return [
    `error ${titleOf(event)}`,
    ...culpritOf(caught).map((frame) => `at ${frame}`),
    ...causes.map(({ type, value }) => `caused by ${type}: ${value}`),
    `tags ${formatPairs(event['tags'])}`,
    `user ${formatPairs(event['user'])}`,
    trace === undefined ? 'no span' : `span ${trace.span_id} of ${place}`,
  ].join(`\n${INDENT}`);
}

/**
 * How much has arrived, and how much the senders reported as discarded.
 *
 * @param {Record<string, number>} counts by category
 * @param {{ reason: string, category: string, quantity: number }[]} discards
 */
export function renderCounts(counts, discards) {
  const received = Object.entries(counts).filter(([category]) => category !== 'internal');
  const arrived = received.map(([category, quantity]) => `${quantity} ${category}`);
  const lost = discards.map(({ reason, category, quantity }) => `${quantity} ${category} (${reason})`);
  return `received: ${arrived.join(', ') || 'nothing'} | lost: ${lost.join(', ') || 'nothing'}`;
}

/**
 * A table whose columns are as wide as their widest cell, with a line under the header.
 *
 * @param {string[]} header
 * @param {(string | number)[][]} rows
 */
export function renderTable(header, rows) {
  const cells = [header, ...rows.map((row) => row.map(String))];
  const widths = header.map((_, column) => longest(cells.map((row) => row[column] ?? '')));
  const ruled = [header, widths.map((width) => '─'.repeat(width)), ...cells.slice(1)];
  return ruled
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/**
 * @param {Json} transaction
 * @returns {Row[]} the root first
 */
function rowsOf({ transaction, contexts, start_timestamp, timestamp, spans = [], server_name: service = '?' }) {
  const root = { ...contexts.trace, description: transaction, start_timestamp, timestamp };
  return [root, ...spans].map((span) => ({
    spanId: span.span_id,
    parentId: span.parent_span_id,
    op: span.op ?? '',
    description: span.description ?? '',
    service,
    start: span.start_timestamp,
    end: span.timestamp,
    depth: 0,
  }));
}

/**
 * Parents before their children, siblings by their start. A row whose parent is missing is not
 * indented, like a root.
 *
 * @param {Row[]} rows
 * @returns {Row[]}
 */
function inTreeOrder(rows) {
  const spanIds = new Set(rows.map(({ spanId }) => spanId));
  /** @type {Map<string | undefined, Row[]>} */
  const childrenOf = new Map();
  for (const row of rows.toSorted((a, b) => a.start - b.start)) {
    const parentId = spanIds.has(row.parentId ?? '') ? row.parentId : undefined;
    childrenOf.set(parentId, [...(childrenOf.get(parentId) ?? []), row]);
  }
  /** @type {(parentId: string | undefined, depth: number) => Row[]} */
  const descendants = (parentId, depth) =>
    (childrenOf.get(parentId) ?? []).flatMap((row) => [{ ...row, depth }, ...descendants(row.spanId, depth + 1)]);
  return descendants(undefined, 0);
}

/**
 * @param {Row} row
 * @param {number} start of the trace
 * @param {number} end of the trace
 */
function barOf(row, start, end) {
  const scale = BAR_WIDTH / (end - start || 1);
  const from = Math.min(Math.round((row.start - start) * scale), BAR_WIDTH - 1);
  const width = Math.max(Math.round((row.end - row.start) * scale), 1);
  return `${'·'.repeat(from)}${'█'.repeat(Math.min(width, BAR_WIDTH - from))}`.padEnd(BAR_WIDTH, '·');
}

/** @param {Row} row */
function describe({ depth, description }) {
  const text = INDENT.repeat(depth) + description;
  return text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION - 1)}…` : text;
}

/**
 * @param {Json} error
 * @param {number} depth
 */
function errorLine(error, depth) {
  return `${' '.repeat(BAR_WIDTH)}  ${INDENT.repeat(depth)}✗ ${titleOf(error)} (${error['server_name']})`;
}

/** @param {Json} event */
function titleOf(event) {
  const caught = event['exception']?.values?.at(-1);
  return caught === undefined ? `${event['level']}: ${event['message']}` : `${caught.type}: ${caught.value}`;
}

/**
 * The innermost frame of the application's own code, or else the innermost frame.
 *
 * @param {Json | undefined} exception
 * @returns {string[]} one or none
 */
function culpritOf(exception) {
  const frames = exception?.['stacktrace']?.frames ?? [];
  const frame = frames.findLast((/** @type {Json} */ { in_app }) => in_app) ?? frames.at(-1);
  return frame === undefined ? [] : [`${frame.function} (${frame.filename}:${frame.lineno}:${frame.colno})`];
}

/** @param {Json} event */
function spanIdOf(event) {
  return event['contexts']?.trace?.span_id;
}

/** @param {Record<string, unknown>} [values] */
function formatPairs(values = {}) {
  return (
    Object.entries(values)
      .map(([key, value]) => `${key}=${value}`)
      .join(' ') || 'none'
  );
}

/** @param {number} seconds */
function formatMillis(seconds) {
  return `${(seconds * 1000).toFixed(1)} ms`;
}

/**
 * @param {number} quantity
 * @param {string} noun
 */
function plural(quantity, noun) {
  return `${quantity} ${noun}${quantity === 1 ? '' : 's'}`;
}

/** @param {string[]} texts */
function longest(texts) {
  return Math.max(0, ...texts.map(({ length }) => length));
}
