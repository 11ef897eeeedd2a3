import type * as dns from 'node:dns';
import { isIPv6, type LookupFunction } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { MILLIS_PER_SECOND, monotonicMillis } from '../../internal/clock.js';
import { unref } from '../../internal/unref.js';
import { readString } from '../../internal/values/read.js';
import { readDnsNames, readHostsFile } from './lookup-files.js';

/** How long one DNS server gets to answer. */
const SERVER_TIMEOUT_MILLIS = 1000;
/** How long all of them get. */
const TIMEOUT_MILLIS = 2500;
/** The same for every other lookup after a timeout: the only server may be slow, or the first of several dead. */
const ONLY_SERVER_TIMEOUT_MILLIS = 4000;
const PATIENT_TIMEOUT_MILLIS = 5000;
/** How long the addresses of the other family are waited for. @see RFC 8305 §3 */
const OTHER_FAMILY_MILLIS = 50;
const MIN_TTL_SECONDS = 1;
const MAX_TTL_SECONDS = 300;
/** For addresses that come without a time to live. */
const DEFAULT_TTL_SECONDS = 60;

interface Answer {
  readonly addresses: readonly string[];
  readonly ttlSeconds: number;
}

/**
 * Looks up the addresses of one name: in the hosts file, then with DNS, also in the system's search domains, then with the
 * system's resolver. One lookup at a time serves all connections, and its result is kept for its time to live.
 *
 * The system's resolver (`dns.lookup`) runs in a thread of the pool that file access and the application's own lookups
 * share, cannot be cancelled, and keeps the process alive for as long as it takes. It knows more (mDNS, directories), so it
 * is asked about names that DNS does not know, but not if any DNS query was left unanswered.
 */
export class NameLookup {
  readonly #hostname: string;
  readonly #readHosts: (hostname: string) => readonly string[];
  readonly #readNames: (hostname: string) => readonly string[];
  #addresses: readonly string[] = [];
  #expiresAtMillis = 0;
  #pending: Promise<readonly string[]> | undefined;
  #resolver: dns.promises.Resolver | undefined;
  #isClosed = false;
  #isPatient = false;

  constructor(
    hostname: string,
    readHosts: (hostname: string) => readonly string[] = readHostsFile,
    readNames: (hostname: string) => readonly string[] = readDnsNames,
  ) {
    this.#hostname = hostname;
    this.#readHosts = readHosts;
    this.#readNames = readNames;
  }

  /** The option `lookup` of `net.connect`. */
  readonly lookup: LookupFunction = (_hostname, options, callback) => {
    this.#find().then(
      (addresses) => {
        const list = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
        if (options.all) callback(null, list);
        else callback(null, list[0]!.address, list[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

  /** Makes the next connection look the name up again, because the address did not answer. */
  expire(): void {
    this.#expiresAtMillis = 0;
  }

  /** How much longer than at first a lookup may take now. */
  get extraMillis(): number {
    return this.#timeoutMillis - TIMEOUT_MILLIS;
  }

  get #timeoutMillis(): number {
    return this.#isPatient ? PATIENT_TIMEOUT_MILLIS : TIMEOUT_MILLIS;
  }

  /** Ends a DNS lookup, if one is running. */
  cancel(): void {
    this.#resolver?.cancel();
  }

  close(): void {
    this.#isClosed = true;
    this.cancel();
  }

  #find(): Promise<readonly string[]> {
    if (monotonicMillis() < this.#expiresAtMillis) return Promise.resolve(this.#addresses);
    this.#pending ??= this.#update().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #update(): Promise<readonly string[]> {
    try {
      const { addresses, ttlSeconds } = await this.#ask();
      this.#addresses = addresses;
      this.#isPatient = false;
      const seconds = Math.min(Math.max(ttlSeconds, MIN_TTL_SECONDS), MAX_TTL_SECONDS);
      this.#expiresAtMillis = monotonicMillis() + seconds * MILLIS_PER_SECOND;
    } catch (error) {
      this.#isPatient = isTimeout(error) && !this.#isPatient;
      // While names cannot be looked up, an old address is better than none.
      if (this.#addresses.length === 0) throw error;
    }
    return this.#addresses;
  }

  async #ask(): Promise<Answer> {
    const listed = this.#readHosts(this.#hostname);
    if (listed.length > 0) return { addresses: listed, ttlSeconds: DEFAULT_TTL_SECONDS };
    for (const name of this.#readNames(this.#hostname)) {
      try {
        return await this.#askDns(name);
      } catch (error) {
        if (this.#isClosed || isTimeout(error)) throw error;
      }
    }
    return this.#askSystem();
  }

  /** Can be cancelled, and needs no thread. Asks the next server after a failure, which c-ares does only after a timeout. */
  async #askDns(name: string): Promise<Answer> {
    for (let failed = 0; ; failed += 1) {
      // A new one each time, because each reads the list of servers only once.
      let resolver = createResolver(SERVER_TIMEOUT_MILLIS);
      const servers = resolver.getServers();
      if (this.#isPatient && servers.length === 1) resolver = createResolver(ONLY_SERVER_TIMEOUT_MILLIS);
      try {
        // Not for the first lookup: what the system's list contains is not always accepted.
        if (failed > 0) resolver.setServers(servers.slice(failed));
        return await this.#askServers(name, resolver);
      } catch (error) {
        if (!isFailureOfServer(error) || failed + 1 >= servers.length) throw error;
      }
    }
  }

  async #askServers(name: string, resolver: dns.promises.Resolver): Promise<Answer> {
    this.#resolver = resolver;
    const deadline = unref(setTimeout(() => resolver.cancel(), this.#timeoutMillis));
    const found = new Map<4 | 6, dns.RecordWithTtl[]>();
    const queries = [
      resolver.resolve4(name, { ttl: true }).then((records) => found.set(4, records)),
      resolver.resolve6(name, { ttl: true }).then((records) => found.set(6, records)),
    ];
    try {
      await Promise.any(queries);
      await Promise.race([Promise.allSettled(queries), wait(OTHER_FAMILY_MILLIS, undefined, { ref: false })]);
    } catch (error) {
      const { errors } = error as AggregateError;
      throw errors.find(isTimeout) ?? errors[0];
    } finally {
      clearTimeout(deadline);
      resolver.cancel();
      this.#resolver = undefined;
    }
    const records = [...(found.get(4) ?? []), ...(found.get(6) ?? [])];
    return { addresses: records.map(({ address }) => address), ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)) };
  }

  async #askSystem(): Promise<Answer> {
    const found = await loadDns().lookup(this.#hostname, { all: true });
    return { addresses: found.map(({ address }) => address), ttlSeconds: DEFAULT_TTL_SECONDS };
  }
}

/** Not imported: only what sends needs it. */
function loadDns(): typeof dns.promises {
  return process.getBuiltinModule('node:dns').promises;
}

/** Late answers count for nothing once a query is repeated. */
function createResolver(timeout: number): dns.promises.Resolver {
  return new (loadDns().Resolver)({ timeout, tries: 2 });
}

function isFailureOfServer(error: unknown): boolean {
  const code = readString(error, 'code');
  return code === 'ESERVFAIL' || code === 'EREFUSED';
}

/** A DNS server that does not answer us would not answer the system either. */
function isTimeout(error: unknown): boolean {
  const code = readString(error, 'code');
  return code === 'ETIMEOUT' || code === 'ECANCELLED';
}
