import type { Config } from "../../config/config.ts";
import { derived, type Settings } from "../../config/in-force.ts";
import { networkList } from "../../core/networks.ts";
import type { Server } from "../http/door.ts";
import { peerOf } from "../http/peer.ts";

/**
 * Where whoever asked reaches the appliance, such as `https://sms.example.bf`: as `[server] public_url` says, else the address that was
 * asked, by the scheme that a trusted proxy tells.
 */
export function originFor(
  settings: Settings<Pick<Config, "server">>,
): (request: Request, server: Server | null) => string {
  const trusted = derived(() => settings.now().server.trusted_proxies, networkList);
  return (request, server) => {
    const { public_url } = settings.now().server;
    if (public_url !== "") return public_url;
    const { host, origin } = new URL(request.url);
    const { proto } = peerOf(server?.requestIP(request)?.address ?? null, request.headers, trusted());
    return proto === null ? origin : `${proto}://${host}`;
  };
}
