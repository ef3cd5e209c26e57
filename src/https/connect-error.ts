/** What the runtime says when a request to an endpoint fails, sorted and said to people. */
import { type Phrase, phrase } from "../i18n/phrase.ts";

/** What is said of a code of the runtime. */
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

/** Said of a new connection only, on which a request begins: the other side refused it, or is not who it should be. */
export function isUnsentFault(error: unknown): boolean {
  const code = codeOf(error);
  return (isConnectFault(error) && code !== "ETIMEDOUT") || isChainFault(error) || HANDSHAKE.includes(code);
}

/** A kept connection would have told something else: nobody listens there, or no connection could be made from here. */
export function isRefusal(error: unknown): boolean {
  return REFUSALS.includes(codeOf(error));
}

/** A connection was there and broke off. */
export function isReset(error: unknown): boolean {
  return Object.hasOwn(RESETS, codeOf(error));
}

/** The certificate's authority is not trusted, so nothing was sent. */
export function isChainFault(error: unknown): boolean {
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
