/** The page "Keys": API keys, what they are for, until when; the secret is shown once. */
import { KEY_OPERATIONS, keyList, keysEnding } from "../../../admin/operations/keys.ts";
import { done } from "../../../admin/operations/refusal.ts";
import type { Account } from "../../../domain/accounts/accounts.ts";
import { findExpiringKeys, KEY_EXPIRY_NOTICE_MS } from "../expiring-keys.ts";
import { operationRoutes } from "./operation-routes.ts";
import { ACCOUNT_SUBJECT, type PageContext } from "./request-context.ts";
import { route, routeOn } from "./route.ts";

function keysOf({ context }: PageContext, { ulid }: Account) {
  const listed = keyList(context, ulid);
  if (!listed.ok) return listed;
  const { keys } = listed.value;
  return done({ keys, ends: findExpiringKeys(keys, context.clock.nowMs()) });
}

/** As many as stand on a start page. */
const MAX_ENDING = 10;

/** Of all accounts; account users see those of theirs on the page "Keys". */
function keysEndingSoon({ context, account }: PageContext) {
  return account === null
    ? keysEnding(context, KEY_EXPIRY_NOTICE_MS, MAX_ENDING)
    : done({ keys: [], is_more: false });
}

export const KEY_ROUTES = {
  "GET /accounts/:account/keys": routeOn(ACCOUNT_SUBJECT, "keys.read", keysOf),
  "GET /keys/ending": route("keys.read", keysEndingSoon),
  ...operationRoutes({
    // The answer shows the key's secret, this once.
    "POST /accounts/:account/keys": KEY_OPERATIONS["key create"],
    "POST /keys/:key/revoke": KEY_OPERATIONS["key revoke"],
  }),
};
