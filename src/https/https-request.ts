/**
 * HTTPS requests to servers of others: extra certificate authorities, parsing of their addresses, and the runtime's errors
 * sorted by whether anything was sent.
 */
import { isIP, isIPv6 } from "node:net";
import { type Phrase, phrase } from "../i18n/phrase.ts";

/** Sends one request to one address of a target. `isFresh`: on a connection of its own, not on a kept one. */
export type RequestAt = (
  target: HttpsTarget,
  address: string,
  init: RequestInit,
  isFresh: boolean,
) => Promise<Response>;

/** The same, trusting the authorities of a PEM text in place of the system's, or the system's where it is null. */
export type RequestTrusting = (
  target: HttpsTarget,
  address: string,
  init: RequestInit,
  isFresh: boolean,
  ca: string | null,
) => Promise<Response>;

/**
 * Requests that trust the system's authorities, and where those do not suffice, the additional ones in `ca` (PEM; null for none).
 * Which of the two did is remembered by host. The name stays in SNI and in the verification of the certificate.
 */
export function trustedRequest(ca: string | null, request: RequestTrusting): RequestAt {
  if (ca === null) return (target, address, init, isFresh) => request(target, address, init, isFresh, null);
  const needsExtra = new Set<string>();
  return async (target, address, init, isFresh) => {
    const withExtra = needsExtra.has(target.authority);
    try {
      return await request(target, address, init, isFresh, withExtra ? ca : null);
    } catch (error) {
      // The chain is not trusted, so nothing was sent.
      if (!isChainFault(error)) throw error;
      const response = await request(target, address, init, isFresh, withExtra ? null : ca);
      if (withExtra) needsExtra.delete(target.authority);
      else needsExtra.add(target.authority);
      return response;
    }
  };
}

/** Over the machine's network. */
export const systemRequest: RequestTrusting = (target, address, init, isFresh, ca) => {
  const host = isIPv6(address) ? `[${address}]` : address;
  const asked: BunFetchRequestInit = { ...init, redirect: "manual", decompress: false, keepalive: !isFresh };
  if (target.isPlain === true) return fetch(`http://${host}:${target.port}${target.path}`, asked);
  return fetch(`https://${host}:${target.port}${target.path}`, {
    ...asked,
    tls: {
      // Set, because the environment could switch it off (NODE_TLS_REJECT_UNAUTHORIZED).
      rejectUnauthorized: true,
      ...(target.isAddress ? {} : { serverName: target.host }),
      ...(ca === null ? {} : { ca }),
    },
  });
};

// The runtime's errors when a request to an endpoint fails, sorted and put into words.

/** The words for each code of the runtime. */
type Faults = Readonly<Record<string, Phrase>>;

const CONNECT_FAULTS: Faults = {
  ECONNREFUSED: phrase("network.refused"),
  ENETUNREACH: phrase("network.network_unreachable"),
  EHOSTUNREACH: phrase("network.host_unreachable"),
  ETIMEDOUT: phrase("network.no_connection_in_time"),
  EADDRNOTAVAIL: phrase("network.not_from_here"),
};

const RESETS: Faults = {
  ECONNRESET: phrase("network.closed"),
  EPIPE: phrase("network.closed"),
  ConnectionClosed: phrase("network.closed"),
};

const CHAIN_FAULTS: Faults = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: phrase("network.certificate.authority"),
  UNABLE_TO_GET_ISSUER_CERT: phrase("network.certificate.authority"),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: phrase("network.certificate.authority"),
  SELF_SIGNED_CERT_IN_CHAIN: phrase("network.certificate.authority"),
  DEPTH_ZERO_SELF_SIGNED_CERT: phrase("network.certificate.self_signed"),
};

const OTHER_FAULTS: Faults = {
  ERR_TLS_CERT_ALTNAME_INVALID: phrase("network.certificate.name"),
  CERT_HAS_EXPIRED: phrase("network.certificate.expired"),
  EPROTO: phrase("network.handshake"),
  CERT_NOT_YET_VALID: phrase("network.certificate.early"),
  ENOTFOUND: phrase("network.name.unknown"),
  DNS_ENOTFOUND: phrase("network.name.unknown"),
  EAI_AGAIN: phrase("network.name.not_now"),
  DNS_ENODATA: phrase("network.name.no_address"),
  DNS_ETIMEOUT: phrase("network.name.not_now"),
  DNS_ESERVFAIL: phrase("network.name.not_now"),
  InvalidHTTPResponse: phrase("network.answered.no_http"),
  Malformed_HTTP_Response: phrase("network.answered.no_http"),
  HTTPHeadersOversized: phrase("network.answered.headers"),
};

const HANDSHAKE: readonly string[] = [
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "EPROTO",
];

const REFUSALS: readonly string[] = ["ECONNREFUSED", "EADDRNOTAVAIL"];

const FAULTS: Faults = {
  ...CONNECT_FAULTS,
  ...RESETS,
  ...CHAIN_FAULTS,
  ...OTHER_FAULTS,
};

/** There was no connection, so nothing was sent. */
export function isConnectFault(error: unknown): boolean {
  return Object.hasOwn(CONNECT_FAULTS, codeOf(error));
}

/** For a new connection only, on which a request begins: the other side refused it, or is not who it should be. */
export function isUnsentFault(error: unknown): boolean {
  const code = codeOf(error);
  return (isConnectFault(error) && code !== "ETIMEDOUT") || isChainFault(error) || HANDSHAKE.includes(code);
}

/** A kept connection would have failed differently: nobody listens there, or no connection could be made from here. */
export function isRefusal(error: unknown): boolean {
  return REFUSALS.includes(codeOf(error));
}

/** A connection was there and broke off. */
export function isReset(error: unknown): boolean {
  return Object.hasOwn(RESETS, codeOf(error));
}

/** The certificate's authority is not trusted, so nothing was sent. */
function isChainFault(error: unknown): boolean {
  return Object.hasOwn(CHAIN_FAULTS, codeOf(error));
}

/** What went wrong. The runtime's own message is left out: it holds the URL. */
export function toConnectFault(error: unknown): Phrase {
  const code = codeOf(error);
  const known = Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined;
  return known ?? (code === "" ? phrase("network.failed") : phrase("network.failed.code", { code }));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** The address of a server in its parts. */
export type HttpsTarget = {
  /** Without TLS, for callbacks that a client asked for so. */
  readonly isPlain?: boolean;
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly isAddress: boolean;
  readonly port: number;
  /** Path and query string. */
  readonly path: string;
  /** The `Host` header: the port only where it is not the usual one. */
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
