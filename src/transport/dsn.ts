import { SDK_NAME, SDK_VERSION } from '../internal/version.js';
import type { Dsn } from '../model/dsn.js';

const SHAPE = /^(https?):\/\/(\w+)(?::(\w*))?@(\[[:.%\w]+\]|[\w.-]+)(?::(\d+))?\/([^?#]+)/;
const MAX_PORT = 65_535;
const PROTOCOL_VERSION = '7';

/**
 * Reads a destination address, `{protocol}://{publicKey}[:{secretKey}]@{host}[:{port}][/{path}]/{projectId}`, or an
 * object with these parts. What follows the digits of the project id is cut off.
 *
 * @returns `undefined` for anything that is no such address; the caller says so. Never throws
 */
export function parseDsn(given: unknown): Dsn | undefined {
  const text = typeof given === 'string' ? given : buildDsn(given);
  const match = SHAPE.exec(text.trim());
  if (match === null) return undefined;
  const [, protocol, publicKey, secretKey, host, port = '', rest] = match as unknown as string[];
  const path = rest!.split('/');
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

function buildDsn(given: unknown): string {
  try {
    const { protocol, publicKey, secretKey, host, port = '', path = '', projectId } = given as Dsn;
    return dsnToString({ protocol, publicKey, secretKey, host, port, path, projectId }, true);
  } catch {
    return '';
  }
}

/** The address as text; without its secret unless that is asked for. */
export function dsnToString(dsn: Dsn, withSecret = false): string {
  const secret = withSecret && dsn.secretKey ? `:${dsn.secretKey}` : '';
  return `${dsn.protocol}://${dsn.publicKey}${secret}@${authorityOf(dsn)}${folderOf(dsn)}/${dsn.projectId}`;
}

/**
 * Where envelopes for a destination are posted, authentication included.
 *
 * @param tunnel takes the place of the destination, and is used as it is
 */
export function envelopeUrl(dsn: Dsn, tunnel?: string): string {
  if (tunnel) return tunnel;
  const query = new URLSearchParams({
    sentry_version: PROTOCOL_VERSION,
    sentry_key: dsn.publicKey,
    sentry_client: `${SDK_NAME}/${SDK_VERSION}`,
  });
  return `${dsn.protocol}://${authorityOf(dsn)}${folderOf(dsn)}/api/${dsn.projectId}/envelope/?${query}`;
}

function authorityOf({ host, port }: Dsn): string {
  return port === '' ? host : `${host}:${port}`;
}

function folderOf({ path }: Dsn): string {
  return path === '' ? '' : `/${path}`;
}
