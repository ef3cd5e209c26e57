import { readFileSync } from "node:fs";
import type { Clock } from "../base/clock.ts";
import { ignoreProxies } from "../base/proxies.ts";
import type { Config } from "../config/config.ts";
import type { AddressRules } from "../https/guarded-addresses.ts";
import { type Post, poster } from "../https/post.ts";
import { ownAddresses, type Resolve, systemResolve } from "../https/resolve.ts";

/** The way to endpoints that a configuration gives. */
export type Outbound = AddressRules & { readonly post: Post };

/** Opens the way to endpoints, past any proxy. The file of authorities was readable when the configuration was checked. */
export function outbound(
  { webhooks }: Pick<Config, "webhooks">,
  clock: Clock,
  resolve: Resolve = systemResolve,
): Outbound {
  ignoreProxies();
  const check: AddressRules = {
    clock,
    resolve,
    own: ownAddresses,
    allowPrivate: webhooks.allow_private_targets,
  };
  const ca = webhooks.ca_file === "" ? null : readFileSync(webhooks.ca_file, "utf8");
  return { ...check, post: poster({ ...check, ca, timeoutMs: webhooks.timeout_seconds * 1000 }) };
}
