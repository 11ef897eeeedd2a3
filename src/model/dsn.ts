/** The parts of a destination address. */
export interface Dsn {
  /** Without the colon. */
  readonly protocol: 'http' | 'https';
  /** Tells the server who sends. */
  readonly publicKey: string;
  /** Legacy; never sent. */
  readonly secretKey?: string | undefined;
  /** IPv6 addresses in brackets. */
  readonly host: string;
  /** Empty for the protocol's own port. */
  readonly port: string;
  /** Between host and project id, without outer slashes; may be empty. */
  readonly path: string;
  /** Digits. */
  readonly projectId: string;
}
