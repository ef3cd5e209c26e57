import { isIPv4, isIPv6 } from "node:net";
import { getOwn } from "../core/own-value.ts";

/** Where a server listens. `hostname` is without brackets; port 0 lets the system choose a free one. */
type Listen = { readonly hostname: string; readonly port: number };

/** Reads "127.0.0.1:8080", "localhost:8080" or "[::1]:8080"; null for anything else. */
export function parseListen(text: string): Listen | null {
  const found = /^(?:\[([^\]]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/.exec(text);
  if (!found) return null;
  const [, bracketed, name, digits] = found;
  const port = Number(digits);
  const hostname = bracketed ?? name;
  if (hostname === undefined || port > 65_535) return null;
  if (bracketed !== undefined && !isIPv6(bracketed)) return null;
  return { hostname, port };
}

/** Whether a text names a host alone: a name, an IPv4 address, or an IPv6 address without brackets. */
export function isHost(text: string): boolean {
  return text.length <= 253 && (/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9.])?$/.test(text) || isIPv6(text));
}

/** Whether a host of an address, as `URL` has it, is this machine alone. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."))
  );
}

const LOOPBACK: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "[::]": "[::1]" };

/** A listening origin as somebody on this machine opens it: one of all addresses means the loopback. */
export function toLocalOrigin(origin: string): string {
  const { protocol, hostname, host } = new URL(origin);
  const here = getOwn(LOOPBACK, hostname);
  return `${protocol}//${here === undefined ? host : here + host.slice(hostname.length)}`;
}
