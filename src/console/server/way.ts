/** How a request came here: from where, over TLS or not, from a page of ours or of another site. */

import type { Config } from "../../config/config.ts";
import { deriveCached, type Settings } from "../../config/in-force.ts";
import { networkMatcher } from "../../core/networks.ts";
import { isAccountRole, type Role } from "../../domain/accounts/role.ts";
import type { Server } from "../../ingress/http/door.ts";
import { isLoopbackPeer, readPeer } from "../../ingress/http/peer.ts";

export type RequestOrigin = {
  /** Null where the system cannot tell. */
  readonly address: string | null;
  readonly isTls: boolean;
  /** Whether the console may be served this way: over TLS, by a trusted proxy that says so, or to this machine. */
  readonly isServed: boolean;
};

export type RequestOrigins = {
  readonly of: (request: Request, server: Server | null) => RequestOrigin;
  /** Whether somebody of a role may be let in from an address (`[console] staff_networks`). */
  readonly mayComeFrom: (way: RequestOrigin, role: Role) => boolean;
  /** Whether a change was asked for by a page of this appliance: of the same scheme, host and port. */
  readonly isSameOrigin: (request: Request, way: RequestOrigin) => boolean;
};

export function createRequestOrigins(settings: Settings<Pick<Config, "server" | "console">>): RequestOrigins {
  const trusted = deriveCached(() => settings.now().server.trusted_proxies, networkMatcher);
  const staff = deriveCached(() => settings.now().console.staff_networks, networkMatcher);
  return {
    of: (request, server) => {
      const peer = readPeer(server?.requestIP(request)?.address ?? null, request.headers, trusted());
      const isTls = peer.isDirect ? request.url.startsWith("https:") : peer.proto === "https";
      return { address: peer.address, isTls, isServed: isTls || isLoopbackPeer(peer) };
    },
    mayComeFrom: ({ address }, role) =>
      isAccountRole(role) ||
      settings.now().console.staff_networks.length === 0 ||
      (address !== null && staff()(address)),
    isSameOrigin: ({ headers }, { isTls }) => {
      const site = headers.get("sec-fetch-site");
      if (site !== null && site !== "same-origin") return false;
      const origin = headers.get("origin");
      if (origin === null) return site !== null;
      const asked = originOf(`${isTls ? "https" : "http"}://${headers.get("host") ?? ""}`);
      return origin === asked || origin === settings.now().server.public_url;
    },
  };
}

/** An address as browsers write it in `Origin` (RFC 6454, 6.1); null of what is none. */
function originOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null;
}
