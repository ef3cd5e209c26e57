import { isIPv6 } from "node:net";
import { isChainFault } from "./connect-error.ts";
import type { HttpsTarget } from "./target.ts";

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
 * Requests that trust the system's authorities, and where those do not do, the additional ones in `ca` (PEM; null for
 * none). Which of the two did is remembered by host. The name stays in SNI and in the verification of the certificate.
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
      // Said, because the environment could switch it off (NODE_TLS_REJECT_UNAUTHORIZED).
      rejectUnauthorized: true,
      ...(target.isAddress ? {} : { serverName: target.host }),
      ...(ca === null ? {} : { ca }),
    },
  });
};
