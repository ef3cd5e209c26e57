import { readFileSync } from "node:fs";
import type { Clock } from "../base/clock.ts";
import { ignoreProxies } from "../base/proxies.ts";
import type { Config } from "../config/config.ts";
import type { AddressRules } from "../https/guarded-addresses.ts";
import { type Post, poster } from "../https/post.ts";
import type { HttpsNetwork } from "../https/resolve.ts";

/** The way to endpoints that the table `[webhooks]` of a configuration gives. */
export type Outbound = AddressRules & { readonly post: Post };

/** Opens the way to endpoints, past any proxy. The file of authorities was readable when the configuration was checked. */
export function outbound(
  { allow_private_targets, ca_file, timeout_seconds }: Config["webhooks"],
  clock: Clock,
  { resolve, ownAddresses, request }: HttpsNetwork,
): Outbound {
  ignoreProxies();
  const check: AddressRules = {
    clock,
    resolve,
    own: ownAddresses,
    allowPrivate: () => allow_private_targets,
  };
  const ca = ca_file === "" ? null : readFileSync(ca_file, "utf8");
  return { ...check, post: poster({ ...check, request, ca, timeoutMs: timeout_seconds * 1000 }) };
}
