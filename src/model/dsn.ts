/** The parts of a destination address. */
export interface Dsn {
  readonly protocol: 'http' | 'https';
  readonly publicKey: string;
  /** Legacy; never sent. */
  readonly secretKey?: string;
  readonly host: string;
  /** Empty for the protocol's own port. */
  readonly port: string;
  /** Between host and project id, without outer slashes; may be empty. */
  readonly path: string;
  readonly projectId: string;
}
