import { freeName } from '../../internal/values/free-name.js';
import { isArray, isObject } from '../../internal/values/read.js';
import { setOwn } from '../../internal/values/set-own.js';
import type { Breadcrumb } from '../../model/event/breadcrumb.js';
import type { Event } from '../../model/event/event.js';
import type { Exception, StackFrame } from '../../model/event/exception.js';
import type { SpanJSON } from '../../model/event/span-json.js';
import type { Settings } from '../../model/options.js';
import { createCustomMask, type TextMask } from '../../scrubbing/custom-fields.js';
import { CustomPatterns } from '../../scrubbing/custom-patterns.js';
import { credentialNames, FILTERED, type SensitiveNames } from '../../scrubbing/sensitive-names.js';
import type { Step } from '../step.js';

/** The two steps that apply the option `scrubbing` to events; `undefined` without work to do. */
interface ScrubbingSteps {
  /** Before normalization, because a text that was cut may no longer match a pattern. */
  readonly scrubTexts: Step | undefined;
  /** After normalization and enrichment: what is left is JSON of bounded size. */
  readonly scrubEvent: Step | undefined;
}

/**
 * What the SDK collects is filtered where it is collected. These steps apply the `fields`, `headers` and `patterns` of the
 * option `scrubbing` to the whole event, including data of the application.
 */
export function createScrubbing({ scrubbing }: Settings): ScrubbingSteps {
  const { fields = [], patterns = [] } = scrubbing ?? {};
  const custom = patterns.length > 0 ? new CustomPatterns(patterns) : undefined;
  const names = fields.length > 0 ? credentialNames(scrubbing) : undefined;
  const mask = scrubbing && createCustomMask(scrubbing);
  const scrubEvent: Step = (event) => {
    const withoutFields = names || mask ? editEvent(event, new Editor({ names, mask })) : event;
    return custom ? replaceTexts(withoutFields, editEvent, custom) : withoutFields;
  };
  return {
    scrubTexts: custom && ((event) => replaceTexts(event, editTexts, custom)),
    scrubEvent: custom || names || mask ? scrubEvent : undefined,
  };
}

type Edit = (event: Event, editor: Editor) => Event;

/** Searches all texts in one call, and then replaces them. */
function replaceTexts(event: Event, edit: Edit, patterns: CustomPatterns): Event {
  const texts = new Set<string>();
  const collect = (text: string) => {
    texts.add(text);
    return text;
  };
  edit(event, new Editor({ replace: collect }));
  const replacements = patterns.findReplacements(texts);
  if (replacements.size === 0) return event;
  return edit(event, new Editor({ replace: (text) => replacements.get(text) ?? text }));
}

interface Edits {
  /** Fields whose values are filtered. */
  readonly names?: SensitiveNames | undefined;
  /** For strings other than source code. */
  readonly mask?: TextMask | undefined;
  /** For all strings, and the names of members. */
  readonly replace?: TextMask | undefined;
}

const keep: TextMask = (text) => text;

/** Copies values, and replaces texts and the values of sensitive fields. */
class Editor {
  readonly #names: SensitiveNames | undefined;
  readonly #mask: TextMask;
  readonly #replace: TextMask;

  constructor({ names, mask = keep, replace = keep }: Edits) {
    this.#names = names;
    this.#mask = mask;
    this.#replace = replace;
  }

  text<T extends string | undefined>(text: T): T {
    return (typeof text === 'string' ? this.#replace(this.#mask(text)) : text) as T;
  }

  /** Source code names fields without holding their values. */
  line<T extends string | undefined>(line: T): T {
    return (typeof line === 'string' ? this.#replace(line) : line) as T;
  }

  /**
   * @param value JSON
   * @param hasKnownNames whether the members are those of the protocol, so that their names stay
   */
  value<T>(value: T, hasKnownNames = false): T {
    if (typeof value === 'string') return this.text(value);
    if (!isObject(value)) return value;
    if (isArray(value)) return value.map((element) => this.value(element)) as T;
    const copy = {};
    for (const [name, member] of Object.entries(value)) {
      const isFiltered = member !== undefined && member !== null && this.#names?.hasCustomField(name);
      setOwn(copy, hasKnownNames ? name : this.#nameIn(copy, name), isFiltered ? FILTERED : this.value(member));
    }
    return copy as T;
  }

  /** Names that become equal are numbered. */
  #nameIn(copy: object, name: string): string {
    const replaced = this.#replace(name);
    return replaced === name ? name : freeName(copy, replaced);
  }
}

function editTexts(event: Event, editor: Editor): Event {
  const { message, logentry, exception, request } = event;
  const edited = { ...event };
  if (message !== undefined) edited.message = editor.text(message);
  if (logentry?.message !== undefined) edited.logentry = { ...logentry, message: editor.text(logentry.message) };
  if (request?.url !== undefined) edited.request = { ...request, url: editor.text(request.url) };
  if (exception?.values) {
    const values = exception.values.map((one) => ({ ...one, value: editor.text(one.value) }));
    edited.exception = { ...exception, values };
  }
  return edited;
}

/** Does not change ids, times, types and levels: servers would refuse the event. */
function editEvent(event: Event, editor: Editor): Event {
  const edited = { ...event };
  for (const member of ['transaction', 'message'] as const) {
    if (event[member] !== undefined) edited[member] = editor.text(event[member]);
  }
  for (const member of ['logentry', 'request', 'user'] as const) {
    if (event[member] !== undefined) Object.assign(edited, { [member]: editor.value(event[member], true) });
  }
  for (const member of ['tags', 'extra', 'fingerprint'] as const) {
    if (event[member] !== undefined) Object.assign(edited, { [member]: editor.value(event[member]) });
  }
  if (event.contexts) {
    const { trace, ...others } = event.contexts;
    edited.contexts = editor.value(others);
    if (trace) edited.contexts.trace = editAttributes(trace, editor);
  }
  const dsc = event.sdkProcessingMetadata?.dynamicSamplingContext;
  if (typeof dsc?.transaction === 'string') {
    const dynamicSamplingContext = { ...dsc, transaction: editor.text(dsc.transaction) };
    edited.sdkProcessingMetadata = { ...event.sdkProcessingMetadata, dynamicSamplingContext };
  }
  if (event.breadcrumbs) edited.breadcrumbs = event.breadcrumbs.map((one) => editBreadcrumb(one, editor));
  if (event.spans) edited.spans = event.spans.map((one) => editSpan(one, editor));
  if (event.exception?.values) {
    const values = event.exception.values.map((one) => editException(one, editor));
    edited.exception = { ...event.exception, values };
  }
  return edited;
}

function editBreadcrumb(breadcrumb: Breadcrumb, editor: Editor): Breadcrumb {
  const edited = { ...breadcrumb };
  if (edited.message !== undefined) edited.message = editor.text(edited.message);
  if (edited.category !== undefined) edited.category = editor.text(edited.category);
  if (edited.data !== undefined) edited.data = editor.value(edited.data);
  return edited;
}

function editSpan(span: SpanJSON, editor: Editor): SpanJSON {
  const edited = editAttributes(span, editor);
  if (edited.description !== undefined) edited.description = editor.text(edited.description);
  return edited;
}

/** The attributes of a span and of its links. */
function editAttributes<T extends { data?: object | undefined; links?: SpanJSON['links'] }>(
  span: T,
  editor: Editor,
): T {
  const edited = { ...span };
  if (edited.data !== undefined) edited.data = editor.value(edited.data);
  if (edited.links !== undefined) {
    edited.links = edited.links.map((link) =>
      link.attributes ? { ...link, attributes: editor.value(link.attributes) } : link,
    );
  }
  return edited;
}

function editException(exception: Exception, editor: Editor): Exception {
  const edited = { ...exception };
  if (edited.type !== undefined) edited.type = editor.text(edited.type);
  if (edited.value !== undefined) edited.value = editor.text(edited.value);
  const frames = edited.stacktrace?.frames;
  if (frames) edited.stacktrace = { ...edited.stacktrace, frames: frames.map((one) => editFrame(one, editor)) };
  return edited;
}

function editFrame(frame: StackFrame, editor: Editor): StackFrame {
  const edited = { ...frame };
  if (edited.context_line !== undefined) edited.context_line = editor.line(edited.context_line);
  for (const member of ['pre_context', 'post_context'] as const) {
    if (edited[member] !== undefined) edited[member] = edited[member].map((line) => editor.line(line));
  }
  if (edited.vars !== undefined) edited.vars = editor.value(edited.vars);
  return edited;
}
