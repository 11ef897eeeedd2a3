import type { Breadcrumb, Envelope, ErrorEvent, Event, TransactionEvent } from '../index.js';

/**
 * An item as the destination gets it. Tests name what they expect to be there, so that no member is optional: what is
 * missing is `undefined` at run time, and fails the test.
 */
export type Recorded<T> = T extends (infer Element)[]
  ? Recorded<Element>[]
  : T extends object
    ? { [Member in keyof T]-?: Recorded<NonNullable<T[Member]>> }
    : T;

/** An event whose tags are text, as in what is sent. */
type WithTextTags<E extends Event> = Recorded<Omit<E, 'tags'> & { tags?: Record<string, string> }>;

/** The recorded items, by kind. */
export interface RecordedItems {
  /** Error events that have an exception. */
  error: WithTextTags<ErrorEvent>;
  /** Error events without an exception: those of `captureMessage`. */
  message: WithTextTags<ErrorEvent>;
  transaction: WithTextTags<TransactionEvent>;
  feedback: WithTextTags<Event>;
  /** Updates and counts of sessions. Those of requests are sent with a flush. */
  session: Record<string, unknown>;
  attachment: { filename: string; content_type?: string | undefined; data: string | Uint8Array };
  /** Recorded when it is added to a scope, whatever becomes of it. */
  breadcrumb: Recorded<Breadcrumb>;
}

export type Kind = keyof RecordedItems;

/** One recorded item with its kind. */
export interface Item<K extends Kind = Kind> {
  readonly kind: K;
  readonly value: RecordedItems[K];
}

/** The items of an envelope, as the destination would read them. */
export function readItems([, items]: Envelope): Item[] {
  return items.flatMap(([headers, payload]): Item[] => {
    if (headers.type === 'attachment') {
      const { filename = '', content_type } = headers;
      return [{ kind: 'attachment', value: { filename, content_type, data: payload as string | Uint8Array } }];
    }
    const value = JSON.parse(typeof payload === 'string' ? payload : JSON.stringify(payload));
    if (headers.type === 'event') return [{ kind: value.exception ? 'error' : 'message', value }];
    if (headers.type === 'transaction' || headers.type === 'feedback') return [{ kind: headers.type, value }];
    if (headers.type === 'session' || headers.type === 'sessions') return [{ kind: 'session', value }];
    return [];
  });
}
