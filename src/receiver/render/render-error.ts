import { toObject, toText } from '../read-json.js';
import type { Json } from '../received.js';
import {
  breadcrumbsOf,
  culpritOf,
  describeBreadcrumb,
  describeFrame,
  describePairs,
  exceptionsIn,
  formatTime,
  framesIn,
  isUnhandled,
  levelOf,
  serviceOf,
  sourceOf,
  titleOf,
  titleOfException,
  traceOf,
} from './describe-event.js';
import { toLine } from './inert.js';
import { type Paint, paintNothing } from './paint.js';

const INDENT = '  ';
const MAX_TITLE_LENGTH = 1000;
const MAX_LINE_LENGTH = 200;
const MAX_CAUSES = 5;
const MAX_FRAMES = 8;
const MAX_BREADCRUMBS = 10;
const MAX_CONTEXTS = 20;
const MAX_NAME_LENGTH = 40;
/** That the SDK adds to each event. */
const COMMON_CONTEXTS = new Set(['trace', 'otel', 'app', 'os', 'device', 'runtime', 'culture', 'cloud_resource']);
/** Source lines before and after the culprit. */
const SOURCE_LINES = 2;

/** How events are printed. */
export interface RenderOptions {
  readonly paint?: Paint;
  /** Paths below it are printed without it. */
  readonly folder?: string;
}

/**
 * An error event: type and value of the caught exception with its stack and the source lines of the culprit, its causes,
 * facts, breadcrumbs, and the span it belongs to.
 */
export function renderError(event: Json, { paint = paintNothing, folder = '' }: RenderOptions = {}): string {
  const [caught, ...causes] = exceptionsIn(event);
  const kind = caught === undefined ? levelOf(event) : 'error';
  return [
    `${paint('red', toLine(kind, 20))} ${paint('bold', toLine(titleOf(event), MAX_TITLE_LENGTH))}`,
    ...renderStack(caught, paint, folder),
    ...causes.slice(0, MAX_CAUSES).flatMap((cause) => renderCause(cause, paint, folder)),
    ...renderFacts(event, paint),
    ...renderBreadcrumbs(event, paint),
  ].join(`\n${INDENT}`);
}

/** One line, for an error whose stack was printed before. */
export function renderRepeatedError(event: Json, count: number, { paint = paintNothing }: RenderOptions = {}): string {
  return `${paint('red', 'error')} ${toLine(titleOf(event), MAX_LINE_LENGTH)} ${paint('dim', `(seen ${count} times)`)}`;
}

function renderCause(cause: Json, paint: Paint, folder: string): string[] {
  const title = `caused by ${toLine(titleOfException(cause), MAX_LINE_LENGTH)}`;
  const culprit = culpritOf(cause);
  return culprit ? [title, paint('dim', `${INDENT}at ${place(culprit, folder)}`)] : [title];
}

/** Frames of the application, with the source around the first, and a line for those of others. */
function renderStack(exception: Json | undefined, paint: Paint, folder: string): string[] {
  const culprit = culpritOf(exception);
  const lines: string[] = [];
  let others = 0;
  let shown = 0;
  const endOthers = () => {
    if (others > 0) lines.push(paint('dim', `… ${others} in dependencies and Node`));
    others = 0;
  };
  for (const frame of framesIn(exception)) {
    if (frame !== culprit && (frame['in_app'] !== true || shown >= MAX_FRAMES)) {
      others += 1;
      continue;
    }
    endOthers();
    shown += 1;
    lines.push(`at ${place(frame, folder)}`);
    if (frame === culprit) lines.push(...renderSource(frame, paint));
  }
  endOthers();
  return lines;
}

function renderSource(frame: Json, paint: Paint): string[] {
  const lines = sourceOf(frame, SOURCE_LINES);
  const width = Math.max(0, ...lines.map(({ number }) => String(number).length));
  return lines.map(({ number, code, isCulprit }) => {
    const line = `${isCulprit ? '❯' : ' '} ${String(number).padStart(width)} │ ${toLine(code, MAX_LINE_LENGTH)}`;
    return `${INDENT}${isCulprit ? line : paint('dim', line)}`;
  });
}

function renderFacts(event: Json, paint: Paint): string[] {
  const request = toObject(event['request']);
  const trace = traceOf(event);
  const service = serviceOf(event);
  const contexts = Object.entries(toObject(event['contexts']))
    .filter(([name]) => !COMMON_CONTEXTS.has(name))
    .map(([name, context]): [string, string] => [toLine(name, MAX_NAME_LENGTH), describePairs(context)]);
  const facts: [name: string, value: string][] = [
    ['handled', isUnhandled(event) ? 'no' : ''],
    ['in', [toText(event['transaction']), service && `on ${service}`].filter((part) => part !== '').join(' ')],
    ['request', [toText(request['method']), toText(request['url'])].join(' ').trim()],
    ['tags', describePairs(event['tags'])],
    ['user', describePairs(event['user'])],
    ['extra', describePairs(event['extra'])],
    ...contexts.slice(0, MAX_CONTEXTS),
    ['span', trace.spanId && `${trace.spanId} of trace ${trace.traceId}`],
  ];
  return facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${paint('dim', name)} ${toLine(value, MAX_LINE_LENGTH)}`);
}

function renderBreadcrumbs(event: Json, paint: Paint): string[] {
  const breadcrumbs = breadcrumbsOf(event);
  if (breadcrumbs.length === 0) return [];
  const earlier = breadcrumbs.length - MAX_BREADCRUMBS;
  return [
    `${paint('dim', 'breadcrumbs')}${earlier > 0 ? paint('dim', `, ${earlier} earlier ones not shown`) : ''}`,
    ...breadcrumbs.slice(-MAX_BREADCRUMBS).map((breadcrumb) => {
      const { timeMillis, category, level, text } = describeBreadcrumb(breadcrumb);
      const important = level === 'error' || level === 'fatal' || level === 'warning' ? ` ${toLine(level, 10)}` : '';
      const line = `${toLine(category, 30)}${important}: ${toLine(text, MAX_LINE_LENGTH)}`;
      return `${INDENT}${paint('dim', formatTime(timeMillis))} ${line}`;
    }),
  ];
}

function place(frame: Json, folder: string): string {
  return toLine(describeFrame(frame, folder), MAX_LINE_LENGTH);
}
