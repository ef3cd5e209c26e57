/** The page "Keys": who may ask the API, for what, until when; the secret is told once. */
import { type Static, Type as t } from "typebox";
import { SCOPES } from "../../accounts/scopes.ts";
import { readInstant } from "../../operations/instants.ts";
import { keyCreate, keyList, keyRevoke, keysEnding } from "../../operations/keys.ts";
import { done } from "../../operations/refusal.ts";
import { KEY_TOLD_MS, keyEnds } from "../key-ends.ts";
import { type Asked, oneAccount, ownKey, zoneOf } from "./asked.ts";
import { route } from "./route.ts";
import { ACCOUNT_PATH, ID, INSTANT, nullable } from "./shapes.ts";

const NEW_KEY = t.Object({
  name: t.String({ minLength: 1, maxLength: 100 }),
  scopes: t.Array(t.Enum(SCOPES), {
    minItems: 1,
    maxItems: SCOPES.length,
    uniqueItems: true,
  }),
  expires_at: t.Optional(nullable(INSTANT)),
  mode: t.Optional(t.Union([t.Literal("live"), t.Literal("test")])),
});
const KEY_PATH = t.Object({ key: ID });

export function keysOf(asked: Asked, wanted: string) {
  const account = oneAccount(asked, wanted);
  if (!account.ok) return account;
  const listed = keyList(asked.context, account.value);
  if (!listed.ok) return listed;
  const { keys } = listed.value;
  return done({ keys, ends: keyEnds(keys, asked.context.clock.nowMs()) });
}

/** As many as stand on a start page. */
const MOST_ENDING = 10;

/** Of all accounts; somebody of an account reads on the own page what is said of its keys. */
function keysEndingSoon({ context, account }: Asked) {
  return account === null
    ? keysEnding(context, KEY_TOLD_MS, MOST_ENDING)
    : done({ keys: [], is_more: false });
}

/** The answer holds the key's secret, this once. */
export async function createKey(asked: Asked, wanted: string, body: Static<typeof NEW_KEY>) {
  const account = oneAccount(asked, wanted);
  if (!account.ok) return account;
  const { context } = asked;
  const end =
    body.expires_at == null
      ? done(null)
      : readInstant(body.expires_at, zoneOf(asked, account.value), context.clock.nowMs());
  if (!end.ok) return end;
  const scopes = SCOPES.filter((scope) => body.scopes.includes(scope));
  return keyCreate(context, account.value, {
    ...{ name: body.name, scopes, mode: body.mode ?? "live", expiresAtMs: end.value },
  });
}

export async function revokeKey(asked: Asked, id: string) {
  const own = ownKey(asked, id);
  return own.ok ? keyRevoke(asked.context, id) : own;
}

export const KEY_ROUTES = {
  "GET /accounts/:account/keys": route(
    { operation: "keys.read", params: ACCOUNT_PATH },
    (asked, { params }) => keysOf(asked, params.account),
  ),
  "GET /keys/ending": route({ operation: "keys.read" }, keysEndingSoon),
  "POST /accounts/:account/keys": route(
    { operation: "keys.change", params: ACCOUNT_PATH, body: NEW_KEY },
    (asked, { params, body }) => createKey(asked, params.account, body),
  ),
  "POST /keys/:key/revoke": route({ operation: "keys.change", params: KEY_PATH }, (asked, { params }) =>
    revokeKey(asked, params.key),
  ),
};
