import { formatDuration, isErrorLevel } from '../../receiver/render/describe-event.js';
import { linesOf, type PlacedError, type Waterfall, type WaterfallRow } from '../../receiver/render/waterfall.js';
import type { EventSummary } from '../dev/summary.js';
import { LongList } from './long-list.jsx';
import { linkTo } from './route.js';
import { show } from './text.js';

/** What the server knows of a trace. */
export interface Trace {
  readonly traceId: string;
  readonly waterfall: Waterfall;
  readonly errors: readonly (PlacedError & { readonly summary: EventSummary })[];
}

const ROW_HEIGHT = 28;
const INDENT_PIXELS = 14;
const MAX_INDENTS = 16;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

interface WaterfallProps {
  readonly trace: Trace;
  readonly selected?: string | undefined;
  readonly onSelect?: (row: WaterfallRow) => void;
}

export function WaterfallView({ trace, selected, onSelect }: WaterfallProps) {
  const { start, end } = trace.waterfall;
  const total = end - start || 0.001;
  return (
    <div class="waterfall">
      <div class="ticks">
        <span />
        <span class="scale">
          {TICKS.map((tick) => (
            <span key={tick} style={{ left: `${tick * 100}%` }}>
              {formatDuration(total * tick * 1000)}
            </span>
          ))}
        </span>
      </div>
      <LongList
        label="Spans"
        items={linesOf(trace.waterfall, trace.errors)}
        rowHeight={ROW_HEIGHT}
        keyOf={(line, index) => ('row' in line ? `${index} ${line.row.spanId}` : `error ${line.error.summary.number}`)}
        render={(line) =>
          'row' in line ? (
            <SpanLine
              row={line.row}
              hasError={line.hasError}
              left={(line.row.start - start) / total}
              width={(line.row.end - line.row.start) / total}
              isSelected={line.row.spanId === selected}
              onSelect={onSelect}
            />
          ) : (
            <a
              class={`span-error ${isErrorLevel(line.error.level) ? '' : 'below-error'}`}
              style={{ paddingLeft: indent(line.depth + 1) }}
              href={linkTo({ tab: 'issues', group: line.error.summary.group, number: line.error.summary.number })}
            >
              {isErrorLevel(line.error.level) ? '✗' : `• ${show(line.error.level)}`} {line.error.summary.title}
            </a>
          )
        }
      />
    </div>
  );
}

interface SpanLineProps {
  readonly row: WaterfallRow;
  readonly hasError: boolean;
  readonly left: number;
  readonly width: number;
  readonly isSelected: boolean;
  readonly onSelect?: ((row: WaterfallRow) => void) | undefined;
}

function SpanLine({ row, hasError, left, width, isSelected, onSelect }: SpanLineProps) {
  const duration = formatDuration((row.end - row.start) * 1000);
  const from = Math.min(left, 0.995);
  const isLate = from + width > 0.85;
  return (
    <button type="button" class="span" aria-pressed={isSelected} onClick={() => onSelect?.(row)}>
      <span
        class="span-name"
        style={{ paddingLeft: indent(row.depth) }}
        title={`${row.op} ${row.description} (${row.service})`}
      >
        <span class="op">{show(row.op)}</span> {show(row.description)}
      </span>
      <span class="scale">
        <span
          class={`bar ${hasError || isFailed(row) ? 'failed' : kindOf(row.op)}`}
          style={{ left: `${from * 100}%`, width: `max(3px, ${Math.min(width, 1 - from) * 100}%)` }}
        />
        <span
          class="bar-label"
          style={
            isLate
              ? { right: `calc(${(1 - from) * 100}% + 6px)` }
              : { left: `calc(max(${(from + width) * 100}%, ${from * 100}% + 3px) + 6px)` }
          }
        >
          {duration}
        </span>
      </span>
    </button>
  );
}

export function heightOf(trace: Trace, maxRows: number): string {
  return `${(Math.min(trace.waterfall.rows.length + trace.errors.length, maxRows) + 1) * ROW_HEIGHT + 4}px`;
}

function indent(depth: number): string {
  return `${8 + Math.min(depth, MAX_INDENTS) * INDENT_PIXELS}px`;
}

function isFailed({ status }: WaterfallRow): boolean {
  return status !== '' && status !== 'ok' && status !== 'unset';
}

/** The color of a bar. */
function kindOf(op: string): string {
  if (op.startsWith('http.server')) return 'server';
  if (op.startsWith('http')) return 'client';
  if (op.startsWith('db') || op.startsWith('cache')) return 'database';
  return 'work';
}
