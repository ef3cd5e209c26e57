/** Where an HTTPS server is, apart. */
export type HttpsTarget = {
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly isAddress: boolean;
  readonly port: number;
  /** Path and query string. */
  readonly path: string;
  /** What the `Host` header says: the port only where it is not 443. */
  readonly authority: string;
};
