/** The parts of a DSN, the address of the destination. */
export interface Dsn {
  /** Without the colon. */
  readonly protocol: 'http' | 'https';
  /** Identifies the sender. */
  readonly publicKey: string;
  /** Legacy; never sent. */
  readonly secretKey?: string | undefined;
  /** IPv6 addresses in brackets. */
  readonly host: string;
  /** Empty for the protocol's default port. */
  readonly port: string;
  /** Between host and project id, without leading and trailing slashes; may be empty. */
  readonly path: string;
  /** Digits. */
  readonly projectId: string;
}
