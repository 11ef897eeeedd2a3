import {
  type Context,
  context as contextApi,
  type HrTime,
  isSpanContextValid,
  type SpanContext,
} from '@opentelemetry/api';
import { getInnerClient, scopesIn } from '../context/current-scopes.js';
import { registerPart } from '../context/parts.js';
import { isolationIn } from '../context/request/request-isolation.js';
import { currentTrace, wireIdsOf } from '../context/trace/trace.js';
import { nowSeconds } from '../internal/clock.js';
import { guardOwn } from '../internal/guard.js';
import type { Client } from '../model/contracts.js';
import type { Event } from '../model/event/event.js';
import type { RecordedException } from '../model/event/recorded-exception.js';
import type { SeverityLevel } from '../model/event/severity.js';
import { type InnerClient, readClientOption } from '../model/inner-client.js';
import { exceptionStringsOf, extraOf, mechanismOf } from './exceptions/exception-attributes.js';
import { createEventAt, takeException } from './exceptions/recorded-exceptions.js';
import { flushClient, flushClientAtShutdown } from './flush-client.js';
import { hrTimeToSeconds } from './spans/span-time.js';

/** The members that are read of a log record. `@opentelemetry/sdk-logs` need not be installed. */
export interface LogRecord {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly severityNumber?: number | undefined;
  readonly hrTime?: HrTime | undefined;
  readonly spanContext?: SpanContext | undefined;
  readonly instrumentationScope?: { readonly name?: string | undefined } | undefined;
}

/** The lowest severity number of each level. @see https://opentelemetry.io/docs/specs/otel/logs/data-model/ */
const LEVELS: readonly (readonly [severityNumber: number, level: SeverityLevel])[] = [
  [21, 'fatal'],
  [17, 'error'],
  [13, 'warning'],
  [9, 'info'],
  [1, 'debug'],
];

/**
 * Captures the exceptions of log records, those with attributes `exception.type`, `exception.message` or
 * `exception.stacktrace`, where the option `captureRecordedExceptions` is on. A `LogRecordProcessor` of
 * `@opentelemetry/sdk-logs`; records pass it unchanged.
 */
export class FaultlineLogRecordProcessor {
  readonly #client: InnerClient | undefined;

  /** @param options `client`: the client that captures the exceptions; default: the current one at each record */
  constructor(options?: { client?: Client | undefined }) {
    this.#client = readClientOption(options);
    registerPart(this, 'FaultlineLogRecordProcessor', this.#client);
  }

  /** Called with each record; never throws. */
  onEmit(record: LogRecord, context: Context = contextApi.active()): void {
    const client = this.#clientNow;
    if (client?.settings.captureRecordedExceptions) guardOwn('a log record', () => takeRecord(client, record, context));
  }

  /** Called by a logger before it makes a record: whether this processor would use it. */
  enabled(): boolean {
    return this.#clientNow?.settings.captureRecordedExceptions === true;
  }

  /** Sends what was captured, and waits for the destination, 10 seconds at most; never rejects. */
  async forceFlush(): Promise<void> {
    await flushClient(this.#clientNow);
  }

  /** Sends what was captured, and waits for the destination, `shutdownTimeout` at most; never rejects. */
  async shutdown(): Promise<void> {
    await flushClientAtShutdown(this.#clientNow);
  }

  get #clientNow(): InnerClient | undefined {
    return this.#client ?? getInnerClient();
  }
}

function takeRecord(client: InnerClient, record: LogRecord, context: Context): void {
  const { attributes, hrTime } = record;
  const strings = exceptionStringsOf(attributes);
  if (!strings) return;
  const { current, isolation } = scopesIn(context);
  const own = currentTrace(client, current, context);
  const { spanContext } = record;
  const ofRecord = spanContext && isSpanContextValid(spanContext) ? wireIdsOf(spanContext, undefined) : own;
  const where = ofRecord.spanId === own.spanId ? own : { ...own, ...ofRecord };
  const atSeconds = hrTime ? hrTimeToSeconds(hrTime) : nowSeconds();
  const scopes = { current, isolation: isolationIn(context, isolation) };
  const dsc = where.traceId === own.traceId ? own.dsc() : undefined;
  const about = { ...describeRecord(client, record), ...createEventAt(atSeconds, where, scopes, dsc) };
  const mechanism = mechanismOf('auto.otel.log_record', attributes);
  const recorded: RecordedException = { strings, traceId: where.traceId, atSeconds, mechanism, about };
  takeException(client, recorded, where.spanId, where.parentSpanId);
}

function describeRecord(client: InnerClient, record: LogRecord): Event {
  const { attributes, body, severityNumber = 0, instrumentationScope } = record;
  const extra = extraOf(attributes, client);
  const event: Event = { extra, level: LEVELS.find(([lowest]) => severityNumber >= lowest)?.[1] };
  if (typeof body === 'string' && body !== '') event.message = body;
  if (instrumentationScope?.name) event.logger = instrumentationScope.name;
  return event;
}
