/** What the runtime says when a request to an endpoint fails, sorted and put into words for people. */

const CONNECT_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENETUNREACH: "network unreachable",
  EHOSTUNREACH: "host unreachable",
  ETIMEDOUT: "connection timed out",
  EADDRNOTAVAIL: "address not reachable from here",
};

const RESETS: Readonly<Record<string, string>> = {
  ECONNRESET: "connection closed by the receiver",
  EPIPE: "connection closed by the receiver",
  ConnectionClosed: "connection closed by the receiver",
};

const CHAIN_FAULTS: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate of an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT: "certificate of an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate of an unknown authority",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate of an unknown authority",
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed certificate",
};

const OTHER_FAULTS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate for another name",
  CERT_HAS_EXPIRED: "certificate expired",
  EPROTO: "the TLS handshake failed",
  CERT_NOT_YET_VALID: "certificate not valid yet",
  ENOTFOUND: "the name does not resolve",
  DNS_ENOTFOUND: "the name does not resolve",
  EAI_AGAIN: "the name does not resolve at the moment",
  DNS_ENODATA: "the name has no address",
  DNS_ETIMEOUT: "the name does not resolve at the moment",
  DNS_ESERVFAIL: "the name does not resolve at the moment",
  InvalidHTTPResponse: "the answer was not HTTP",
  Malformed_HTTP_Response: "the answer was not HTTP",
  HTTPHeadersOversized: "the answer's headers were too long",
};

const HANDSHAKE: readonly string[] = [
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "EPROTO",
];

const REFUSALS: readonly string[] = ["ECONNREFUSED", "EADDRNOTAVAIL"];

const WORDS: Readonly<Record<string, string>> = {
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

/** What went wrong in a few words. The runtime's own message is left out: it holds the URL. */
export function wordsOf(error: unknown): string {
  const code = codeOf(error);
  return (
    (Object.hasOwn(WORDS, code) ? WORDS[code] : undefined) ?? (code === "" ? "failed" : `failed: ${code}`)
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
