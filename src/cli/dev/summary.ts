/** What a list shows of an event; the page gets the event itself when it is looked at. */
export interface EventSummary {
  /** Counts from 1, in the order of arrival. */
  readonly number: number;
  readonly kind: 'error' | 'transaction';
  /** Unix milliseconds. */
  readonly timeMillis: number;
  readonly level: string;
  readonly title: string;
  /** Where it happened: function and file, or the transaction. */
  readonly place: string;
  /** Events of one issue have the same. */
  readonly group: string;
  readonly isUnhandled: boolean;
  readonly traceId: string;
  readonly service: string;
  /** Of a transaction that is not part of another service's. */
  readonly isRoot: boolean;
  /** Milliseconds; 0 for an error. */
  readonly duration: number;
  /** How many spans a transaction has, its root included. */
  readonly spanCount: number;
  /** What can be searched for, in lower case. */
  readonly search: string;
}

/** The first message to a page. */
export interface Greeting {
  /** Of this run of the tool: numbers count anew in the next one. */
  readonly run: string;
  readonly dsn: string;
  readonly version: string;
  readonly folder: string;
  readonly maxEvents: number;
}
