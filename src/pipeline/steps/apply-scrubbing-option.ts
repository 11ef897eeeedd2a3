import { freeName } from '../../internal/values/free-name.js';
import { isArray, isObject } from '../../internal/values/read.js';
import { setOwn } from '../../internal/values/set-own.js';
import type { Contexts, Event, TraceContext } from '../../model/event/event.js';
import type { StackFrame } from '../../model/event/exception.js';
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
export function createApplyScrubbing({ scrubbing }: Settings): ScrubbingSteps {
  const { fields = [], patterns = [] } = scrubbing ?? {};
  const custom = patterns.length > 0 ? new CustomPatterns(patterns) : undefined;
  const names = fields.length > 0 ? credentialNames(scrubbing) : undefined;
  const mask = scrubbing && createCustomMask(scrubbing);
  const scrubEvent: Step = (event) => {
    const withoutFields = names || mask ? editMembers(event, EVENT, new Editor({ names, mask })) : event;
    return custom ? replaceTexts(withoutFields, EVENT, custom) : withoutFields;
  };
  return {
    scrubTexts: custom && ((event) => replaceTexts(event, TEXTS, custom)),
    scrubEvent: custom || names || mask ? scrubEvent : undefined,
  };
}

/** Searches all texts in one call, and then replaces them. */
function replaceTexts(event: Event, edits: Edits<Event>, patterns: CustomPatterns): Event {
  const texts = new Set<string>();
  const collect = (text: string) => {
    texts.add(text);
    return text;
  };
  editMembers(event, edits, new Editor({ replace: collect }));
  const replacements = patterns.findReplacements(texts);
  if (replacements.size === 0) return event;
  return editMembers(event, edits, new Editor({ replace: (one) => replacements.get(one) ?? one }));
}

interface EditorOptions {
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

  constructor({ names, mask = keep, replace = keep }: EditorOptions) {
    this.#names = names;
    this.#mask = mask;
    this.#replace = replace;
  }

  text(value: unknown): unknown {
    return typeof value === 'string' ? this.#replace(this.#mask(value)) : value;
  }

  /** Source code names fields without holding their values. */
  line(value: unknown): unknown {
    return typeof value === 'string' ? this.#replace(value) : value;
  }

  /**
   * @param value JSON
   * @param hasKnownNames whether the members are those of the protocol, so that their names stay
   */
  value<T>(value: T, hasKnownNames = false): T {
    if (!isObject(value)) return this.text(value) as T;
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

/** Edits one value. Does not change the value itself. */
type EditValue = (value: unknown, editor: Editor) => unknown;
/** How the members of an object are edited; others stay. */
type Edits<T> = { readonly [Member in keyof T]?: EditValue };

const text: EditValue = (value, editor) => editor.text(value);
const line: EditValue = (value, editor) => editor.line(value);
const anything: EditValue = (value, editor) => editor.value(value);
/** The names of its members are those of the protocol, and stay. */
const known: EditValue = (value, editor) => editor.value(value, true);

const each =
  (edit: EditValue): EditValue =>
  (list, editor) =>
    isArray(list) ? list.map((element) => edit(element, editor)) : list;

const members =
  <T extends object>(edits: Edits<T>): EditValue =>
  (object, editor) =>
    isObject(object) ? editMembers(object as T, edits, editor) : object;

function editMembers<T extends object>(object: T, edits: Edits<T>, editor: Editor): T {
  const edited = { ...object } as Record<string, unknown>;
  for (const [name, edit] of Object.entries<EditValue | undefined>(edits)) {
    if (edit && edited[name] !== undefined) edited[name] = edit(edited[name], editor);
  }
  return edited as T;
}

const contexts: EditValue = (value, editor) => {
  const { trace, ...others } = value as Contexts;
  const edited = editor.value(others);
  return trace ? { ...edited, trace: editMembers(trace, ATTRIBUTES, editor) } : edited;
};

/** Long ones, which normalization may cut. */
const TEXTS: Edits<Event> = {
  message: text,
  logentry: members({ message: text }),
  request: members({ url: text }),
  exception: members({ values: each(members({ value: text })) }),
};

/** Of a span. */
const ATTRIBUTES: Edits<SpanJSON | TraceContext> = { data: anything, links: each(members({ attributes: anything })) };

const FRAME: Edits<StackFrame> = {
  context_line: line,
  pre_context: each(line),
  post_context: each(line),
  vars: anything,
};

/** Does not change ids, times, types and levels: servers would refuse the event. */
const EVENT: Edits<Event> = {
  transaction: text,
  message: text,
  logentry: known,
  request: known,
  user: known,
  tags: anything,
  extra: anything,
  fingerprint: anything,
  contexts,
  sdkProcessingMetadata: members({ dynamicSamplingContext: members({ transaction: text }) }),
  breadcrumbs: each(members({ message: text, category: text, data: anything })),
  spans: each(members<SpanJSON>({ ...ATTRIBUTES, description: text })),
  exception: members({
    values: each(members({ type: text, value: text, stacktrace: members({ frames: each(members(FRAME)) }) })),
  }),
};
