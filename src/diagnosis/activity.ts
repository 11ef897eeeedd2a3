import { createLogger } from '../internal/diag.js';
import { listenToProcess } from '../internal/node/own-listeners.js';
import { runDetached } from '../internal/run-detached.js';
import { unref } from '../internal/unref.js';
import { SDK_VERSION } from '../internal/version.js';
import type { Client, Integration } from '../model/contracts.js';
import type { DiscardedEvents } from '../model/delivery/ledger.js';
import type { DataCategory, DiscardReason } from '../model/delivery/outcome.js';
import type { Event } from '../model/event/event.js';
import type { InnerClient } from '../model/inner-client.js';
import type { OpenTelemetryFinding, OpenTelemetryStatus } from '../model/open-telemetry-status.js';
import { SETTLING_MILLIS } from './report.js';

const LEDGER_INTERVAL_MILLIS = 60_000;

/** Spans that still ran, and what was cut: logged where it happens, and not the fault of the destination. */
const LOGGED_BEFORE: DiscardReason = 'buffer_overflow';
/** At the end of the process, these reasons mean that a hook or an event processor had not returned the event. */
const OF_USER_CODE: ReadonlySet<DiscardReason> = new Set<DiscardReason>(['before_send', 'event_processor']);
const IN_USER_CODE =
  'a hook or an event processor had not returned when the process ended. Let it return without waiting, or await close() before the process ends';

const log = createLogger('activity');

/**
 * Logs what a client does, for `debug: true`: how it started, each captured event, a line a minute with the ledger, new
 * findings about the setup, and at the end what was lost.
 */
export function logActivity(client: InnerClient, integrations: readonly Integration[]): void {
  log.info(describeStart(client));
  if (!client.settings.enabled) return;
  log.info(`integrations: ${integrations.map(({ name }) => name).join(', ') || 'none'}`);
  client.on('beforeSendEvent', (event) => log.debug(`${describeEvent(event)} captured`));
  new Activity(client).start();
}

/**
 * The activities of all open clients. Each `init` adds their shared listeners anew: a client puts what it does at the end of
 * the process before all listeners, and `noteEnd` has to come before that.
 */
const running = new Set<Activity>();
const forAll = (call: (one: Activity) => void) => (): void => {
  for (const one of running) call(one);
};
const noteEmpty = forAll((one) => one.noteEmpty());
const noteEnd = forAll((one) => one.noteEnd());
const logEnd = forAll((one) => one.logEnd());

let stops: readonly (() => void)[] = [];

function listen(): void {
  stopListening();
  stops = [
    listenToProcess('beforeExit', noteEmpty),
    listenToProcess('exit', noteEnd, true),
    listenToProcess('exit', logEnd),
  ];
}

function stopListening(): void {
  for (const stop of stops) stop();
}

class Activity {
  readonly #client: InnerClient;
  /** The findings that were logged, by this class or by the check that follows `init`. */
  readonly #logged = new Set<string>();
  readonly #timers: NodeJS.Timeout[] = [];
  #ranEmpty = false;
  #discardsAtEnd: readonly DiscardedEvents[] = [];
  #balanceAtEnd: ReturnType<Client['ledger']['balance']> = {};

  constructor(client: InnerClient) {
    this.#client = client;
  }

  start(): void {
    if (!this.#client.settings.skipOpenTelemetrySetup) this.#settle();
    else this.#timers.push(unref(setTimeout(this.#settle, SETTLING_MILLIS)));
    this.#timers.push(unref(setInterval(this.#logLedger, LEDGER_INTERVAL_MILLIS)));
    running.add(this);
    listen();
    this.#client.on('close', () => {
      // The promise is there once this hook has been called.
      queueMicrotask(() => runDetached('logging the end', this.#client.close().then(this.#logClosed)));
    });
  }

  /** The problems of this moment were logged by the check that follows `init`. */
  readonly #settle = (): void => {
    const { problems, notes } = this.#client.openTelemetryStatus();
    for (const { code } of problems) this.#logged.add(code);
    this.#logNew(notes, 'info');
  };

  #logNew(findings: readonly OpenTelemetryFinding[], level: 'info' | 'warn'): void {
    for (const { code, message, remedy } of findings) {
      if (this.#logged.has(code)) continue;
      this.#logged.add(code);
      log[level](`${code}: ${message} ${level === 'warn' ? 'Fix' : 'To change this'}: ${remedy}`);
    }
  }

  #logFindings(): void {
    const { problems, notes } = this.#client.openTelemetryStatus();
    this.#logNew(problems, 'warn');
    this.#logNew(notes, 'info');
  }

  readonly #logLedger = (): void => {
    log.info(`so far: ${describeLedger(this.#client)}`);
    this.#logFindings();
  };

  noteEmpty(): void {
    this.#ranEmpty = true;
  }

  /** Called before the client stores or discards what it has not sent. */
  noteEnd(): void {
    this.#balanceAtEnd = this.#client.ledger.balance();
    this.#discardsAtEnd = this.#client.ledger.discards();
  }

  logEnd(): void {
    this.#logFindings();
    const stored = this.#listStored();
    const lost = this.#listDiscards((reason) => !OF_USER_CODE.has(reason) && reason !== LOGGED_BEFORE);
    const inUserCode = this.#listDiscards((reason) => OF_USER_CODE.has(reason));
    const [why, advice] = this.#explainEnd();
    if (stored) log.info(`${stored} stored: ${why}. The next process that sends to this destination sends them`);
    if (lost) log.warn(`${lost} lost: ${why}. ${advice}`);
    if (inUserCode) log.warn(`${inUserCode} lost: ${IN_USER_CODE}`);
    log.info(`ended: ${describeLedger(this.#client)}`);
  }

  /** What was stored at the end of the process. */
  #listStored(): string {
    const balances = Object.entries(this.#client.ledger.balance());
    return listCounts(
      balances.map(([category, { stored }]) => [
        category,
        stored - (this.#balanceAtEnd[category as DataCategory]?.stored ?? 0),
      ]),
    );
  }

  /** What was discarded at the end of the process. */
  #listDiscards(isListed: (reason: DiscardReason) => boolean): string {
    const counts = new Map<DataCategory, number>();
    const add = (discards: readonly DiscardedEvents[], sign: number): void => {
      for (const { reason, category, quantity } of discards) {
        if (isListed(reason)) counts.set(category, (counts.get(category) ?? 0) + sign * quantity);
      }
    };
    add(this.#client.ledger.discards(), 1);
    add(this.#discardsAtEnd, -1);
    return listCounts([...counts]);
  }

  #explainEnd(): [why: string, advice: string] {
    if (!this.#ranEmpty) return ['unsent when the process ended', 'Await close() before the process ends'];
    const { shutdownTimeout } = this.#client.settings;
    return [
      `the destination had not answered when the process ended (shutdownTimeout is ${shutdownTimeout} ms)`,
      'Check the destination, or raise shutdownTimeout',
    ];
  }

  readonly #logClosed = (): void => {
    for (const timer of this.#timers) clearTimeout(timer);
    running.delete(this);
    if (running.size === 0) stopListening();
    this.#logFindings();
    log.info(`closed: ${describeLedger(this.#client)}`);
  };
}

function describeStart(client: Client): string {
  const { settings, dsn } = client;
  const { environment, release, sampleRate, tracesSampleRate, tracesSampler, enabled, transport, tunnel } = settings;
  if (!enabled) return `Faultline ${SDK_VERSION} is turned off: enabled is false`;
  const setup = describeSetup(client.openTelemetryStatus(), settings.skipOpenTelemetrySetup);
  const isEmptyVariable = settings.dsn === undefined && process.env['FAULTLINE_DSN'] === '';
  const destination = transport
    ? 'sends with the option transport'
    : dsn
      ? `sends to ${dsn.host}${dsn.port && `:${dsn.port}`}, project ${dsn.projectId}${tunnel ? ', through a tunnel' : ''}`
      : `sends nothing, because there is no ${settings.dsn ? 'valid ' : ''}DSN${isEmptyVariable ? ' (FAULTLINE_DSN is empty)' : ''}`;
  const traces = tracesSampler
    ? 'tracesSampler decides'
    : `tracesSampleRate ${tracesSampleRate ?? 'not set: no traces'}`;
  return `Faultline ${SDK_VERSION} started: ${destination}; environment ${environment}, release ${release ?? 'not set'}; sampleRate ${sampleRate}, ${traces}; ${setup}`;
}

/** Says who set OpenTelemetry up. */
function describeSetup({ trace }: OpenTelemetryStatus, isSkipped: boolean): string {
  if (trace.owner === 'faultline') return 'OpenTelemetry was set up by init';
  if (trace.owner === 'application') return `OpenTelemetry was set up by the application (${trace.className})`;
  return isSkipped
    ? 'OpenTelemetry is left to the application, which has not set it up yet'
    : 'OpenTelemetry is not set up';
}

function describeEvent({ type, event_id, exception }: Event): string {
  const thrown = exception?.values?.at(-1)?.type;
  return `${type ?? (exception ? 'error' : 'message')} ${event_id}${thrown ? ` (${thrown})` : ''}`;
}

function describeLedger(client: Client): string {
  const parts = Object.entries(client.ledger.balance()).map(
    ([category, { captured, recovered, delivered, discarded, queued, stored }]) =>
      `${category} ${captured} captured, ${recovered ? `${recovered} recovered, ` : ''}${delivered} delivered, ${discarded} discarded, ${stored ? `${stored} stored, ` : ''}${queued} waiting`,
  );
  return parts.join('; ') || 'nothing was captured';
}

/** `2 errors, 1 transaction`; empty if all counts are 0. */
function listCounts(counts: readonly (readonly [category: string, count: number])[]): string {
  const parts = counts.flatMap(([category, count]) => (count > 0 ? `${count} ${category}${count > 1 ? 's' : ''}` : []));
  return parts.join(', ');
}
