import {
  type Client,
  type DiscardedEvents,
  getClient,
  getCurrentScope,
  type Scope,
  startNewTrace,
  withIsolationScope,
} from '../index.js';
import { readProperty } from '../internal/values/read.js';
import type { InnerClient } from '../model/inner-client.js';
import { Inbox, type NextOptions } from './inbox.js';
import type { Matcher } from './matchers.js';
import type { Kind, RecordedItems } from './recorded.js';

/** What the SDK would have sent, and the means to wait for it. */
export interface Recording {
  /** The client whose events are recorded. */
  readonly client: Client;
  readonly errors: readonly RecordedItems['error'][];
  readonly messages: readonly RecordedItems['message'][];
  readonly transactions: readonly RecordedItems['transaction'][];
  readonly feedback: readonly RecordedItems['feedback'][];
  readonly sessions: readonly RecordedItems['session'][];
  readonly attachments: readonly RecordedItems['attachment'][];
  readonly breadcrumbs: readonly RecordedItems['breadcrumb'][];
  /** What was captured and not sent, and why: sampled out, dropped by a hook, refused by the transport. */
  readonly discarded: readonly DiscardedEvents[];
  /**
   * Waits for an item; resolves with the first one that matches and that no earlier call has returned. Rejects after a
   * time, with a list of what arrived instead.
   */
  next<K extends Kind>(kind: K, matcher?: Matcher<K>, options?: NextOptions): Promise<RecordedItems[K]>;
  /** Waits until everything captured so far is recorded or discarded. */
  flush(timeoutMillis?: number): Promise<boolean>;
  /**
   * Runs the callback with its own isolation scope and trace, and gives it a recording of only what is captured
   * in them: tests can then run at the same time.
   */
  isolated<T>(callback: (sent: Recording) => T): T;
  /** Forgets what has arrived. */
  clear(): void;
}

/** Marks the isolation scopes of `isolated`: a function that returns the inbox, because functions are never copied. */
const OWN_INBOX = 'recordedIn';

/** The inboxes of `isolated`. */
export class OwnInboxes {
  /** Finds those of requests that a test makes to its own server: they continue its trace. */
  readonly #byTrace = new Map<string, Inbox>();

  add(scope: Scope, traceId: string, inbox: Inbox): void {
    scope.setSDKProcessingMetadata({ [OWN_INBOX]: () => inbox });
    this.#byTrace.set(traceId, inbox);
  }

  find(metadata: unknown, traceId: unknown): Inbox | undefined {
    const read = readProperty(metadata, OWN_INBOX);
    return typeof read === 'function' ? (read() as Inbox) : this.#byTrace.get(traceId as string);
  }
}

export class DefaultRecording implements Recording {
  readonly client: InnerClient;
  readonly inbox = new Inbox();
  readonly #ownInboxes: OwnInboxes;

  constructor(client: InnerClient, ownInboxes: OwnInboxes) {
    this.client = client;
    this.#ownInboxes = ownInboxes;
  }

  get errors(): readonly RecordedItems['error'][] {
    return this.inbox.all('error');
  }

  get messages(): readonly RecordedItems['message'][] {
    return this.inbox.all('message');
  }

  get transactions(): readonly RecordedItems['transaction'][] {
    return this.inbox.all('transaction');
  }

  get feedback(): readonly RecordedItems['feedback'][] {
    return this.inbox.all('feedback');
  }

  get sessions(): readonly RecordedItems['session'][] {
    return this.inbox.all('session');
  }

  get attachments(): readonly RecordedItems['attachment'][] {
    return this.inbox.all('attachment');
  }

  get breadcrumbs(): readonly RecordedItems['breadcrumb'][] {
    return this.inbox.all('breadcrumb');
  }

  get discarded(): readonly DiscardedEvents[] {
    return this.client.ledger.discards();
  }

  next<K extends Kind>(kind: K, matcher?: Matcher<K>, options: NextOptions = {}): Promise<RecordedItems[K]> {
    return this.inbox.next(kind, matcher, options, () => this.#explain());
  }

  flush(timeoutMillis?: number): Promise<boolean> {
    return this.client.flush(timeoutMillis);
  }

  isolated<T>(callback: (sent: Recording) => T): T {
    const own = new DefaultRecording(this.client, this.#ownInboxes);
    return withIsolationScope((isolation) =>
      startNewTrace(() => {
        this.#ownInboxes.add(isolation, getCurrentScope().getPropagationContext().traceId, own.inbox);
        return callback(own);
      }),
    );
  }

  clear(): void {
    this.inbox.clear();
  }

  #explain(): string {
    const discarded = this.discarded.map(({ quantity, category, reason }) => `${quantity} ${category} (${reason})`);
    const losses = discarded.length > 0 ? ` Discarded: ${discarded.join(', ')}.` : '';
    const isReplaced = getClient() !== this.client;
    return isReplaced ? `${losses} init was called after recordEvents, and its client gets the events now.` : losses;
  }
}
