/** Where a server is, apart. */
export type HttpsTarget = {
  /** Without TLS, for callbacks that a client asked for so. */
  readonly isPlain?: boolean;
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly isAddress: boolean;
  readonly port: number;
  /** Path and query string. */
  readonly path: string;
  /** What the `Host` header says: the port only where it is not the usual one. */
  readonly authority: string;
};
