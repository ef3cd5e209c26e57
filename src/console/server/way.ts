/** How a request came here: from where, over TLS or not, from a page of ours or of another site. */

import type { Config } from "../../config/config.ts";
import { derived, type Settings } from "../../config/in-force.ts";
import { networkList } from "../../core/networks.ts";
import { isAccountRole, type Role } from "../../domain/accounts/role.ts";
import type { Server } from "../../ingress/http/door.ts";
import { isFromHere, peerOf } from "../../ingress/http/peer.ts";

export type Way = {
  /** Null where the system cannot tell. */
  readonly address: string | null;
  readonly isTls: boolean;
  /** Whether the console may be served this way: over TLS, by a trusted proxy that says so, or to this machine. */
  readonly isServed: boolean;
};

export type Ways = {
  readonly of: (request: Request, server: Server | null) => Way;
  /** Whether somebody of a role may be let in from an address (`[console] staff_networks`). */
  readonly mayComeFrom: (way: Way, role: Role) => boolean;
  /** Whether a change was asked for by a page of this appliance: of the same scheme, host and port. */
  readonly isOwnSite: (request: Request, way: Way) => boolean;
};

export function waysOf(settings: Settings<Pick<Config, "server" | "console">>): Ways {
  const trusted = derived(() => settings.now().server.trusted_proxies, networkList);
  const staff = derived(() => settings.now().console.staff_networks, networkList);
  return {
    of: (request, server) => {
      const peer = peerOf(server?.requestIP(request)?.address ?? null, request.headers, trusted());
      const isTls = peer.isDirect ? request.url.startsWith("https:") : peer.proto === "https";
      return { address: peer.address, isTls, isServed: isTls || isFromHere(peer) };
    },
    mayComeFrom: ({ address }, role) =>
      isAccountRole(role) ||
      settings.now().console.staff_networks.length === 0 ||
      (address !== null && staff()(address)),
    isOwnSite: ({ headers }, { isTls }) => {
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
