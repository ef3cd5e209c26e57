/** Who made a request: the client's address and scheme, also behind a trusted proxy (docs/administration.md#proxies-in-front). */
import { isIPv4, isIPv6 } from "node:net";

/** Headers that a proxy adds. Behind a proxy on this machine every client looks like loopback. */
const FORWARDED = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/** Who made a request, as far as that can be trusted. */
type Peer = {
  /** Null where the system can't tell, or the request came through a proxy that is not trusted. */
  readonly address: string | null;
  /** The request came through no proxy. */
  readonly isDirect: boolean;
  /** How the client reached a trusted proxy; null without one. */
  readonly proto: "http" | "https" | null;
};

/**
 * Reads the client behind trusted proxies (`[server] trusted_proxies`). `address` is that of the other end of the connection. Each
 * proxy appends the address it saw, so the last one that is not a trusted proxy is the client: what a client writes there itself
 * stands before that.
 */
export function readPeer(
  address: string | null,
  headers: Headers,
  isTrusted: (address: string) => boolean,
): Peer {
  if (!isForwarded(headers)) return { address, isDirect: true, proto: null };
  if (address === null || !isTrusted(address)) return { address: null, isDirect: false, proto: null };
  const hops = listed(headers, "x-forwarded-for").map(withoutPort);
  const client = hops.findLast((hop) => !isTrusted(hop)) ?? hops[0] ?? null;
  const proto = listed(headers, "x-forwarded-proto").at(-1);
  return { address: client, isDirect: false, proto: proto === "https" || proto === "http" ? proto : null };
}

function listed(headers: Headers, name: string): string[] {
  const items = (headers.get(name) ?? "").split(",").map((item) => item.trim());
  return items.filter((item) => item !== "");
}

/** `192.0.2.7:4711` and `[2001:db8::1]:4711`, as some proxies write them. */
function withoutPort(hop: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
}

/** Whether a request was made on this machine, and not handed on by a proxy. */
export function isLoopbackPeer({ address, isDirect }: Peer): boolean {
  return isDirect && address !== null && /^(::ffff:)?127\.|^::1$/i.test(address);
}

/** Whether a request was made in one of the networks of our own staff. */
export function isStaffPeer({ address }: Peer, isStaff: (address: string) => boolean): boolean {
  return address !== null && isStaff(address);
}

function isForwarded(headers: Headers): boolean {
  return FORWARDED.some((name) => headers.has(name));
}

/**
 * Whether a request names a host that this machine can be known by: an address, `localhost`, or the host of `public_url`. A foreign
 * page whose name was made to resolve to the loopback asks by that name (DNS rebinding), and does not count as local.
 */
export function isOwnHost(host: string | null, publicUrl: string): boolean {
  if (host === null || host === "") return true;
  const name = nameIn(host.toLowerCase());
  if (isIPv4(name) || isIPv6(name)) return true;
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  return URL.canParse(publicUrl) && new URL(publicUrl).hostname === name;
}

/** A host without its port; the address inside brackets. */
function nameIn(host: string): string {
  if (host.startsWith("[")) return host.slice(1, Math.max(1, host.indexOf("]")));
  const [name = ""] = host.split(":", 1);
  return name.endsWith(".") ? name.slice(0, -1) : name;
}
