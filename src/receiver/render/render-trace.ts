import type { Json } from '../received.js';
import { countLevels, formatDuration, isErrorLevel, plural, serviceOf, titleOf, traceOf } from './describe-event.js';
import { toLine } from './inert.js';
import { type Paint, paintNothing } from './paint.js';
import { createWaterfall, linesOf, type PlacedError, placeOf, type Waterfall, type WaterfallRow } from './waterfall.js';

const BAR_WIDTH = 32;
const MAX_DESCRIPTION_LENGTH = 56;
const MAX_OP_LENGTH = 30;
const MAX_SERVICE_LENGTH = 40;
const MAX_TITLE_LENGTH = 200;
const MAX_ROWS = 100;
const MAX_INDENTS = 12;
const INDENT = '  ';

/**
 * A distributed trace as a waterfall: one line per span with bar, duration, op, description and service. Children are
 * indented under their parents, across processes. Errors are shown under their span, those outside of all spans among the roots.
 *
 * @param transactions payloads, all of one trace
 * @param errors error events of the same trace
 */
export function renderTrace(transactions: readonly Json[], errors: readonly Json[] = [], paint = paintNothing): string {
  const waterfall = createWaterfall(transactions);
  const shown = waterfall.rows.slice(0, MAX_ROWS);
  const opWidth = longest(shown.map(({ op }) => toLine(op, MAX_OP_LENGTH)));
  const descriptionWidth = longest(shown.map(describe));
  const rowLine = (row: WaterfallRow, hasError: boolean): string =>
    [
      paint(hasError ? 'red' : 'cyan', barOf(row, waterfall)),
      formatDuration((row.end - row.start) * 1000).padStart(9),
      paint('dim', toLine(row.op, MAX_OP_LENGTH).padEnd(opWidth)),
      describe(row).padEnd(descriptionWidth),
      paint('dim', toLine(row.service, MAX_SERVICE_LENGTH)),
    ].join('  ');
  const placed = errors.map((event) => ({ event, ...placeOf(event) }));
  const lines = linesOf(waterfall, placed);
  const hidden = lines.findIndex((line) => 'row' in line && line.row === waterfall.rows[MAX_ROWS]);
  const visible = hidden < 0 ? lines : lines.slice(0, hidden);
  const others = lines.slice(visible.length).filter((line) => 'error' in line);
  const rest = waterfall.rows.length - shown.length;
  return [
    headingOf(transactions, placed, waterfall, paint),
    ...visible.map((line) =>
      'row' in line ? rowLine(line.row, line.hasError) : errorLine(line.error, line.depth, paint),
    ),
    ...(rest > 0 ? [paint('dim', `${' '.repeat(BAR_WIDTH)}  … ${plural(rest, 'more span')}`)] : []),
    ...others.map(({ error }) => errorLine(error, 0, paint)),
  ].join('\n');
}

function headingOf(
  transactions: readonly Json[],
  placed: readonly PlacedError[],
  waterfall: Waterfall,
  paint: Paint,
): string {
  const { rows, start, end, services } = waterfall;
  const traceId = toLine(transactions[0] ? traceOf(transactions[0]).traceId : '', 32);
  const facts = [
    plural(rows.length, 'span'),
    ...countLevels(placed.map(({ level }) => level)),
    formatDuration((end - start) * 1000),
    services.map((service) => toLine(service, MAX_SERVICE_LENGTH)).join(' → '),
  ];
  return `${paint('bold', 'trace')} ${traceId}: ${facts.join(', ')}`;
}

function barOf(row: WaterfallRow, { start, end }: Waterfall): string {
  const scale = BAR_WIDTH / (end - start || 1);
  const from = Math.min(Math.round((row.start - start) * scale), BAR_WIDTH - 1);
  const width = Math.max(Math.round((row.end - row.start) * scale), 1);
  return `${'·'.repeat(from)}${'█'.repeat(Math.min(width, BAR_WIDTH - from))}`.padEnd(BAR_WIDTH, '·');
}

function describe({ depth, description }: WaterfallRow): string {
  return toLine(INDENT.repeat(Math.min(depth, MAX_INDENTS)) + description, MAX_DESCRIPTION_LENGTH);
}

function errorLine({ event, level }: PlacedError & { readonly event: Json }, depth: number, paint: Paint): string {
  const indent = INDENT.repeat(Math.min(depth, MAX_INDENTS));
  const service = toLine(serviceOf(event), MAX_SERVICE_LENGTH);
  const isError = isErrorLevel(level);
  const title = `${isError ? '✗' : `• ${level}`} ${toLine(titleOf(event), MAX_TITLE_LENGTH)}${service && ` (${service})`}`;
  return `${' '.repeat(BAR_WIDTH)}  ${indent}${paint(isError ? 'red' : 'dim', title)}`;
}

function longest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}
