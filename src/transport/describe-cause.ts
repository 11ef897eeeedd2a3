import { readString } from '../internal/values/read.js';

/** Explains network errors that rarely pass by themselves, and what to do about them. Empty for others. */
export function describeCause(error: unknown): string {
  const code = readString(error, 'code') ?? '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return ', because its name has no address: check the host in the DSN';
  if (code === 'ECONNREFUSED') return ', because nothing listens there: check host and port in the DSN';
  if (code === 'ETIMEOUT' || code === 'ECANCELLED') return ', because the DNS servers do not answer';
  if (code === 'EPROXY') return `, because ${readString(error, 'message')}`;
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return ', because it does not speak TLS: check http and https, and the port, in the DSN';
  if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_/.test(code))
    return `, because its certificate cannot be verified (${code}): name its authority in transportOptions.caCerts or NODE_EXTRA_CA_CERTS`;
  return '';
}
