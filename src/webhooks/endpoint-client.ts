/** The HTTPS client that posts to endpoints, with the rules of addresses in force (docs/behaviour.md#addresses-of-endpoints). */
import type { Config } from "../config/config.ts";
import type { Settings } from "../config/live-config.ts";
import type { Clock } from "../core/clock.ts";
import { ignoreProxies } from "../core/proxies.ts";
import type { AddressRules, HttpsNetwork } from "../https/address-guard.ts";
import { createPost, type Post } from "../https/post.ts";

/** The client for posts to endpoints, by the table `[webhooks]` of a configuration. */
type EndpointClient = AddressRules & { readonly post: Post };

/** The table `[webhooks]`, with the content of its file of authorities: PEM text, null for none. */
export type WebhookNetworkRules = Config["webhooks"] & { readonly authorities: string | null };

/** The rules in force at this moment. */
export function readEndpointRules({
  now,
  pem,
}: Pick<Settings<Pick<Config, "webhooks">>, "now" | "pem">): WebhookNetworkRules {
  const { webhooks } = now();
  return { ...webhooks, authorities: pem(webhooks.ca_file) };
}

/** Creates the client for posts to endpoints, which bypasses any proxy. */
export function createEndpointClient(
  { allow_private_targets, authorities, timeout_seconds }: WebhookNetworkRules,
  clock: Clock,
  { resolve, ownAddresses, request }: HttpsNetwork,
): EndpointClient {
  ignoreProxies();
  const check: AddressRules = {
    clock,
    resolve,
    own: ownAddresses,
    allowPrivate: () => allow_private_targets,
  };
  return {
    ...check,
    post: createPost({ ...check, request, ca: authorities, timeoutMs: timeout_seconds * 1000 }),
  };
}
