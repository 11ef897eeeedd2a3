import dgram from 'node:dgram';
import dns from 'node:dns';
import type { AddressInfo } from 'node:net';

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };
const FAILURES = { failed: 2, unknown: 3 } as const;
const HEADER_BYTES = 12;

export interface DnsAnswer {
  readonly a?: readonly string[];
  /** As 16 bytes. */
  readonly aaaa?: readonly Buffer[];
  /** @default 300 */
  readonly ttlSeconds?: number;
}

/** @returns `undefined` for no answer at all, `'unknown'` for a name that does not exist, `'failed'` for a server that fails */
export type AnswerDns = (name: string, type: 'A' | 'AAAA') => Found | Promise<Found>;

type Found = DnsAnswer | keyof typeof FAILURES | undefined;

/** A DNS server on a real local port. */
export async function startDnsServer(answer: AnswerDns) {
  const queries: string[] = [];
  const socket = dgram.createSocket('udp4');
  let isClosed = false;
  socket.on('close', () => {
    isClosed = true;
  });
  socket.on('message', async (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    queries.push(`${type} ${name}`);
    const found = await answer(name, type);
    if (found !== undefined && !isClosed) socket.send(respond(query.subarray(0, end), type, found), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, queries, close: () => socket.close() };
}

/** Lets every resolver that is created from now on ask these servers, in this order. @returns ends that */
export function askOnly(...addresses: string[]): () => void {
  const { Resolver } = dns.promises;
  dns.promises.Resolver = class extends Resolver {
    constructor(options?: dns.ResolverOptions) {
      super(options);
      this.setServers(addresses);
    }
  };
  return () => {
    dns.promises.Resolver = Resolver;
  };
}

function readQuestion(query: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  while (query[at]! > 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
    at += query[at]! + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: TYPES[query.readUInt16BE(at + 1)] ?? 'A', end: at + 5 };
}

/** @see RFC 1035 §4.1 */
function respond(question: Buffer, type: 'A' | 'AAAA', found: DnsAnswer | keyof typeof FAILURES): Buffer {
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  const { a = [], aaaa = [], ttlSeconds = 300 } = typeof found === 'string' ? {} : found;
  const datas = type === 'A' ? a.map((one) => Buffer.from(one.split('.').map(Number))) : aaaa;
  header.writeUInt16BE(0x8180 | (typeof found === 'string' ? FAILURES[found] : 0), 2);
  header.writeUInt16BE(datas.length, 6);
  header.writeUInt32BE(0, 8);
  const records = datas.map((data) => {
    const record = Buffer.alloc(12);
    // A pointer to the name in the question.
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type === 'A' ? 1 : 28, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(ttlSeconds, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, question.subarray(HEADER_BYTES), ...records]);
}
