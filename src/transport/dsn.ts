import { SDK_NAME, SDK_VERSION } from '../internal/version.js';
import type { Dsn } from '../model/delivery/dsn.js';
import type { WireFormat } from './formats/wire-format.js';

/** Where envelopes go. */
export interface Destination {
  readonly dsn: Dsn | undefined;
  /** The URL of a server that gets the envelopes in place of that of the DSN, and forwards them. */
  readonly tunnel?: string | undefined;
}

const PATTERN = /^(https?):\/\/(\w+)(?::(\w*))?@(\[[:.%\w]+\]|[\w.-]+)(?::(\d+))?\/([^?#]+)/;
/** Pasted URLs end with them. At most a few, so that no text takes long. */
const TRAILING_SLASHES = /\/{1,9}$/;
const MAX_PORT = 65_535;
const PROTOCOL_VERSION = '7';

/**
 * Parses a DSN, `{protocol}://{publicKey}[:{secretKey}]@{host}[:{port}][/{path}]/{projectId}`, or an object with these
 * parts. Ignores spaces and slashes around the DSN, and anything after the digits of the project id.
 *
 * @returns `undefined` for an invalid DSN, which the caller reports; never throws
 */
export function parseDsn(value: unknown): Dsn | undefined {
  const dsn = typeof value === 'string' ? value : joinParts(value);
  const match = PATTERN.exec(dsn.trim());
  if (match === null) return undefined;
  const [, protocol, publicKey, secretKey, host, port = '', rest] = match as unknown as string[];
  const path = rest!.replace(TRAILING_SLASHES, '').split('/');
  const projectId = /^\d+/.exec(path.pop()!)?.[0];
  if (projectId === undefined || Number(port) > MAX_PORT) return undefined;
  return {
    protocol: protocol as Dsn['protocol'],
    publicKey: publicKey!,
    ...(secretKey ? { secretKey } : undefined),
    host: host!,
    port,
    path: path.filter((part) => part !== '').join('/'),
    projectId,
  };
}

/**
 * Says what is wrong with a string that {@link parseDsn} refuses, for a message: "it has no public key".
 */
export function findDsnProblem(dsn: string): string {
  const text = dsn.trim();
  if (!/^https?:\/\//.test(text)) return 'it begins with neither https:// nor http://';
  if (!/^https?:\/\/\w+(:\w*)?@/.test(text)) return 'it has no public key, of letters and digits, before an @';
  const match = PATTERN.exec(text);
  if (match && Number(match[5]) > MAX_PORT) return `its port is above ${MAX_PORT}`;
  if (!/\/\d[^/]*$/.test(text.replace(/[?#].*$/, '').replace(TRAILING_SLASHES, '')))
    return 'it does not end with the number of a project';
  return 'its host or port cannot be read';
}

/** Filters what may be a secret in an invalid DSN: the part between a colon and the @. */
export function hideSecret(dsn: string): string {
  return dsn.replace(/(\/\/[^/@:]*):[^@]*@/, '$1:[Filtered]@');
}

function joinParts(parts: unknown): string {
  try {
    const { protocol, publicKey, secretKey, host, port = '', path = '', projectId } = parts as Dsn;
    return dsnToString({ protocol, publicKey, secretKey, host, port, path, projectId }, true);
  } catch {
    return '';
  }
}

/** The DSN as a string; without its secret key by default. */
export function dsnToString(dsn: Dsn, withSecret = false): string {
  const secret = withSecret && dsn.secretKey ? `:${dsn.secretKey}` : '';
  return `${dsn.protocol}://${dsn.publicKey}${secret}@${authorityOf(dsn)}${folderOf(dsn)}/${dsn.projectId}`;
}

/**
 * The URL that envelopes are posted to, authentication included.
 *
 * @param tunnel used unchanged in place of the destination's URL
 */
export function envelopeUrl(dsn: Dsn, { path }: Pick<WireFormat, 'path'>, tunnel?: string): string {
  if (tunnel) return tunnel;
  const query = new URLSearchParams({
    sentry_version: PROTOCOL_VERSION,
    sentry_key: dsn.publicKey,
    sentry_client: `${SDK_NAME}/${SDK_VERSION}`,
  });
  return `${dsn.protocol}://${authorityOf(dsn)}${folderOf(dsn)}/api/${dsn.projectId}/${path}/?${query}`;
}

/** Host and port. */
export function authorityOf({ host, port }: Dsn): string {
  return port === '' ? host : `${host}:${port}`;
}

function folderOf({ path }: Dsn): string {
  return path === '' ? '' : `/${path}`;
}
