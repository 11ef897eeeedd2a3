import { type Clock, systemClock } from '../internal/clock.js';
import { createLogger } from '../internal/diag.js';
import { guard } from '../internal/guard.js';
import { noteMistake } from '../internal/options/mistakes.js';
import { copyOwn } from '../internal/values/copy-own.js';
import { describe } from '../internal/values/in-message.js';
import { isHttpUrl } from '../internal/values/is-http-url.js';
import { readProperty } from '../internal/values/read.js';
import type { Client } from '../model/contracts.js';
import type { Dsn } from '../model/delivery/dsn.js';
import type { Ledger } from '../model/delivery/ledger.js';
import type { Outbox } from '../model/delivery/outbox.js';
import type { EnvelopeStore } from '../model/delivery/store.js';
import type { Transport, TransportFactory, TransportOptions, TransportResponse } from '../model/delivery/transport.js';
import type { NoticeCode, Notify } from '../model/notice.js';
import type { Settings } from '../model/options.js';
import {
  createStoringTransport,
  DEFAULT_BUFFER_SIZE,
  isOwnSend,
  type StoringTransport,
  type TransportExtras,
} from './create-transport.js';
import { envelopeUrl, hideSecret } from './dsn.js';
import { DEFAULT_FORMAT } from './formats/known-formats.js';
import type { WireFormat } from './formats/wire-format.js';
import { readCaCerts } from './http/ca-certs.js';
import { DEFAULT_TIMEOUT_MILLIS, HttpPoster } from './http/http-poster.js';
import { findProxy } from './http/proxy.js';
import { logDelivery } from './outbox/delivery-log.js';
import { InFlightItems } from './outbox/in-flight-items.js';
import { DefaultOutbox, NoopOutbox, type OutboxParts } from './outbox/outbox.js';
import { explainUnreachable, explainWebPage } from './outbox/refusal.js';
import { Spool } from './spool/spool.js';
import { createSpotlight } from './spotlight.js';
import { isWebPage } from './stages/retry.js';
import { unobserved } from './unobserved.js';

const log = createLogger('transport');

export interface OutboxOptions {
  readonly settings: Partial<Settings> &
    Pick<Settings, 'enabled' | 'sendClientReports' | 'clientReportIntervalMillis' | 'transportOptions'>;
  readonly dsn: Dsn | undefined;
  readonly ledger: Ledger;
  /** Called with `beforeEnvelope`. */
  readonly emit?: Client['emit'];
  readonly notify?: Notify;
  /** Stores what cannot be sent over HTTP. */
  readonly store?: EnvelopeStore | undefined;
  readonly clock?: Clock;
}

/**
 * Creates the outbox of a client. It sends to the destination of the DSN, or to the tunnel: with the transport of the
 * settings, which needs no DSN, else over HTTP. Without a destination it discards everything as `disabled`.
 */
export function createOutbox({
  settings,
  dsn,
  ledger,
  emit,
  notify = () => undefined,
  store,
  clock = systemClock,
}: OutboxOptions): Outbox {
  if (!settings.enabled) return new NoopOutbox(ledger);
  const format = DEFAULT_FORMAT;
  const spotlight = createSpotlight(settings, format);
  const isInvalidDsn = dsn === undefined && settings.dsn !== undefined;
  if (isInvalidDsn) return new NoopOutbox(ledger, spotlight);
  const { tunnel, sendClientReports, clientReportIntervalMillis } = settings;
  const inFlight = new InFlightItems(ledger);
  const options = createTransportOptions(settings, dsn, inFlight, format);
  const parts = {
    dsn,
    tunnel,
    bufferSize: options.bufferSize,
    ledger,
    inFlight,
    sendClientReports,
    clientReportIntervalMillis,
    emit,
    spotlight,
    clock,
    notify: (code: NoticeCode, message: string) => notify(code, message, settings),
    onDelivery: settings.debug ? logDelivery : undefined,
  };
  const custom = settings.transport && createCustomTransport(settings.transport, options);
  if (custom !== undefined) return new DefaultOutbox({ ...parts, ...custom });
  if (dsn === undefined) return new NoopOutbox(ledger, spotlight);
  if (!isHttpUrl(options.url)) {
    const message = `tunnel: ${describe(hideSecret(options.url))} is not an absolute http or https URL; nothing is sent`;
    log.error(message);
    parts.notify('invalid-tunnel', message);
    return new NoopOutbox(ledger, spotlight);
  }
  const spool = store && new Spool({ store, format, ledger, inFlight, clock });
  const onNeverAnswered = (why: unknown) => {
    // `onWebPage` has reported that.
    if (!isWebPage(why)) parts.notify('destination-unreachable', explainUnreachable(why, parts, store?.path));
  };
  const onWebPage = (response: TransportResponse) =>
    parts.notify('destination-is-web-page', explainWebPage(response, parts, store?.path));
  const transport = createHttpTransport(options, { clock, format, spool, onNeverAnswered, onWebPage });
  return new DefaultOutbox({ ...parts, transport, storing: transport });
}

/** Creates the transport that is used when the settings name no other. Closing it ends its connections. */
export function createHttpTransport(
  options: TransportOptions,
  extras: Omit<TransportExtras, 'retries'> = {},
): StoringTransport {
  const poster = createPoster(options, extras.format);
  const transport = createStoringTransport(options, ({ body }) => poster.post(body), { ...extras, retries: true });
  const close = (): void => {
    transport.close();
    poster.close();
  };
  return { ...transport, close };
}

/** Creates what posts bodies to the URL of the options: by their proxy, or that of the environment. */
export function createPoster(
  options: Pick<TransportOptions, 'url' | 'headers' | 'timeoutMillis' | 'proxy' | 'caCerts'>,
  { contentType } = DEFAULT_FORMAT,
): HttpPoster {
  const proxy = findProxy(options.url, options.proxy, process.env);
  return new HttpPoster({ ...options, proxy, caCerts: readCaCerts(options.caCerts), contentType });
}

function createTransportOptions(
  settings: OutboxOptions['settings'],
  dsn: Dsn | undefined,
  inFlight: InFlightItems,
  format: WireFormat,
): TransportOptions {
  const { headers, ...options } = settings.transportOptions;
  return {
    bufferSize: DEFAULT_BUFFER_SIZE,
    timeoutMillis: DEFAULT_TIMEOUT_MILLIS,
    ...options,
    url: dsn ? envelopeUrl(dsn, format, settings.tunnel) : (settings.tunnel ?? ''),
    headers: copyOwn(headers) as Record<string, string>,
    recordDroppedEvent: (reason, item) => inFlight.discard(reason, item),
  };
}

/** The transport that the application's factory returns; `undefined`, and a message, if it returns something else. */
function createCustomTransport(
  factory: TransportFactory,
  options: TransportOptions,
): Pick<OutboxParts, 'transport' | 'showsItems'> | undefined {
  const transport = guard('transport', () => factory(options));
  const send = readProperty(transport, 'send');
  const flush = readProperty(transport, 'flush');
  if (typeof send !== 'function') {
    const problem = `the function must return an object with send, but has not returned one (${describe(transport)}); it is ignored`;
    noteMistake({ owner: 'transport', problem });
    return undefined;
  }
  const guarded: Transport = {
    send: (envelope) => unobserved(() => send.call(transport, envelope)),
    flush: async (timeoutMillis) =>
      typeof flush === 'function' ? unobserved(() => flush.call(transport, timeoutMillis)) : true,
  };
  return { transport: guarded, showsItems: !isOwnSend(send as Transport['send']) };
}
