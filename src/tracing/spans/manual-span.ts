import { types } from 'node:util';
import { type Link, type Span, type SpanStatus, SpanStatusCode, type TimeInput } from '@opentelemetry/api';
import { guardOwn, reportOwnFailure } from '../../internal/guard.js';
import { isArray, isIndexed, isObject, readList } from '../../internal/values/read.js';
import type { SpanTimeInput } from '../../model/event/span-json.js';
import { toOtelTime } from './span-time.js';

/** The parts of the OTel SDK's span that are written to. */
interface WritableSpan extends Span {
  status: SpanStatus;
  readonly attributes: Record<string, unknown>;
  _attributesCount?: unknown;
}

const STATUS_CODES = new Set([SpanStatusCode.UNSET, SpanStatusCode.OK, SpanStatusCode.ERROR]);

type Chained = (this: Span, ...args: unknown[]) => Span;

/** A proxy of a list may claim any length, and OTel reads all elements. */
const readable = (value: unknown): unknown => (types.isProxy(value) && isArray(value) ? readList(value) : value);

/** The attributes, with lists that OTel can read. */
export function readableAttributes<T>(attributes: T): T {
  if (isIndexed(attributes)) return {} as T;
  for (const key in attributes) {
    if (types.isProxy(attributes[key])) {
      return Object.fromEntries(Object.entries(attributes as object).map(([name, one]) => [name, readable(one)])) as T;
    }
  }
  return attributes;
}

/** The links of a list, with attributes that OTel can read. */
export function readableLinks(links: unknown): Link[] {
  return (readList(links) as Link[]).map(readableLink);
}

function readableLink(link: Link): Link {
  const attributes = readableAttributes(link.attributes);
  return attributes === link.attributes ? link : { ...link, attributes };
}

const writeAttribute = guarded('setAttribute');
/** OTel would set an attribute for each character of a string, and for each element of a list. */
const setAttributes = guarded('setAttributes', (attributes) =>
  isObject(attributes) ? readableAttributes(attributes) : {},
);
const addEvent = guarded('addEvent', (part) => (isObject(part) && !isArray(part) ? readableAttributes(part) : part));
const addLink = guarded('addLink', (link) => readableLink(link as Link));
const addLinks = guarded('addLinks', readableLinks);
const recordException = guarded('recordException');

/**
 * Adds to a span of `startSpan*` what our API promises beyond OTel's: an error may replace OK, the end may be in seconds,
 * `undefined` removes an attribute, and no argument makes a method throw. Spans of OTel tracers keep OTel's rules.
 */
export function completeSpan(span: Span): void {
  span.setStatus = setStatus;
  span.end = end;
  span.updateName = updateName;
  span.setAttribute = setAttribute;
  span.setAttributes = setAttributes;
  span.addEvent = addEvent;
  span.addLink = addLink;
  span.addLinks = addLinks;
  span.recordException = Object.hasOwn(span, 'recordException')
    ? guarded('recordException', undefined, span.recordException)
    : recordException;
}

function setStatus(this: Span, status: SpanStatus): Span {
  return guardOwn('setStatus', () => changeStatus(this, status), this);
}

function changeStatus(span: Span, status: SpanStatus): Span {
  // OTel would accept any code, and replace a valid status by it.
  if (!STATUS_CODES.has(status?.code)) return span;
  const { status: present } = span as WritableSpan;
  if (status.code === SpanStatusCode.ERROR && present?.code === SpanStatusCode.OK && span.isRecording()) {
    (span as WritableSpan).status = { code: SpanStatusCode.UNSET };
  }
  return inherited(span).setStatus.call(span, status);
}

/** Also called by OTel's `setAttributes`, once for each attribute. */
function setAttribute(this: Span, key: unknown, value: unknown): Span {
  if (value !== undefined) return writeAttribute.call(this, key, readable(value));
  if (typeof key === 'string' && this.isRecording()) removeAttribute(this as WritableSpan, key);
  return this;
}

function removeAttribute(span: WritableSpan, key: string): void {
  if (!Object.hasOwn(span.attributes, key)) return;
  delete span.attributes[key];
  // OTel counts attributes for their limit, and never fewer; older versions count them anew each time.
  if (typeof span._attributesCount === 'number') span._attributesCount -= 1;
}

function end(this: Span, endTime?: TimeInput): void {
  // OTel logs a warning at a second end.
  if (!this.isRecording()) return;
  guardOwn('end of a span', () => inherited(this).end.call(this, toOtelTime(endTime as SpanTimeInput | undefined)));
}

function updateName(this: Span, name: string): Span {
  return typeof name === 'string' ? inherited(this).updateName.call(this, name) : this;
}

type GuardedMethod = 'setAttribute' | 'setAttributes' | 'addEvent' | 'addLink' | 'addLinks' | 'recordException';

/**
 * @param read makes an argument one that OTel can read
 * @param own the method of the span itself, if it has one in place of the inherited one
 */
function guarded(method: GuardedMethod, read?: (argument: unknown) => unknown, own?: unknown): Chained {
  return function (this: Span, ...args: unknown[]): Span {
    try {
      return ((own ?? inherited(this)[method]) as Chained).apply(this, read ? args.map(read) : args);
    } catch (error) {
      reportOwnFailure(method, error);
      return this;
    }
  };
}

function inherited(span: Span): Span {
  return Object.getPrototypeOf(span) as Span;
}
