import { isIP } from "node:net";

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

/** Reads an address of http or https; null for any other text, and for one that brings a user. */
export function parseTarget(text: string): HttpsTarget | null {
  const url = /^https?:\/\/[^/?#]/i.test(text) ? URL.parse(text) : null;
  if (url === null || url.username !== "" || url.password !== "" || url.port === "0") return null;
  const isPlain = url.protocol === "http:";
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (host === "") return null;
  const port = url.port === "" ? (isPlain ? 80 : 443) : Number(url.port);
  return {
    host,
    isAddress: isIP(host) !== 0,
    port,
    authority: url.host,
    path: `${url.pathname}${url.search}`,
    isPlain,
  };
}
