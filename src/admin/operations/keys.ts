/** Operations on API keys: create (the key is shown once), list, list those about to expire, revoke. */
import { assert } from "../../core/assert.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { toSandboxId } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import {
  createKey,
  endingKeys,
  type KeyMode,
  type KeyRecord,
  keyByKeyId,
  listKeys,
  revokeKey,
  SCOPES,
  type Scope,
  toKeyMode,
} from "../../domain/accounts/api-keys.ts";
import { findAccount } from "./account-names.ts";
import { change, changeOpenAccount } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import {
  ACCOUNT,
  checkWords,
  MODE,
  naming,
  optional,
  readInstant,
  readTime,
  severalOf,
  text,
  typedAs,
  word,
} from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { ensureSandbox } from "./sandboxes.ts";

type KeyInput = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** What the key opens: what is live, or the account's sandbox. */
  readonly mode?: KeyMode;
  /** Null: never. */
  readonly expiresAtMs: number | null;
};

/** Creates a key. `api_key` is returned here and never again. */
export async function keyCreate(
  context: AdminContext,
  accountId: string,
  wanted: KeyInput,
): Promise<AdminOutcome<{ readonly api_key: string } & KeyView>> {
  const name = checkWords(wanted.name, "INVALID_NAME", "name", 100);
  if (!name.ok) return name;
  if (wanted.scopes.length === 0) return refuse("INVALID_SCOPE.none");
  return changeOpenAccount(context, accountId, (tx, account, nowMs) => {
    const { expiresAtMs, scopes, mode = "live" } = wanted;
    if (expiresAtMs !== null && expiresAtMs <= nowMs) {
      return refuse("INVALID_TIME.not_future", { at: expiresAtMs });
    }
    const accountId = mode === "test" ? ensureSandbox(tx, context, account, nowMs) : account.id;
    const { keyId, apiKey } = createKey(
      tx,
      context.chance,
      { accountId, name: name.value, scopes, expiresAtMs },
      nowMs,
    );
    const { key_id, ...rest } = viewByKeyId(context, tx, keyId, nowMs);
    return done({
      value: { key_id, api_key: apiKey, ...rest },
      audit: {
        action: "key create",
        subject: keyId,
        detail: { account_id: account.ulid, name: name.value, mode, scopes, expires_at: rest.expires_at },
      },
    });
  });
}

/** The account's keys, oldest first, those that ended included. */
export function keyList(
  context: AdminContext,
  accountId: string,
): AdminOutcome<{ readonly keys: readonly KeyView[] }> {
  const { read } = context.store;
  const account = findAccount(read, accountId);
  if (!account.ok) return account;
  const { id, ulid } = account.value;
  const nowMs = context.clock.nowMs();
  const keys = [...listKeys(read, id), ...listKeys(read, toSandboxId(id))].toSorted((a, b) => a.id - b.id);
  return done({ keys: keys.map((key) => view(context, key, ulid, nowMs)) });
}

/** Keys of all accounts whose end is at most so far from now, before or behind it; the first to end first. */
export function keysEnding(
  { store, clock }: Pick<AdminContext, "store" | "clock">,
  withinMs: number,
  limit: number,
) {
  const nowMs = clock.nowMs();
  const found = endingKeys(store.read, nowMs - withinMs, nowMs + withinMs, limit + 1);
  const keys = found.slice(0, limit).map(({ keyId, name, endsAtMs, account }) => ({
    key_id: keyId,
    name,
    ends_at: isoUtc(endsAtMs),
    is_over: endsAtMs <= nowMs,
    account_id: account.ulid,
    account: account.name,
  }));
  return done({ keys, is_more: found.length > limit });
}

function viewByKeyId(context: AdminContext, read: Reader, keyId: string, nowMs: number): KeyView {
  const key = keyByKeyId(read, keyId);
  assert(key, `key ${keyId} exists`);
  const account = accountById(read, key.accountId);
  assert(account, `key ${keyId} has an account`);
  return view(context, key, account.ulid, nowMs);
}

function view({ keyUses }: AdminContext, key: KeyRecord, accountUlid: string, nowMs: number) {
  return {
    key_id: key.keyId,
    account_id: accountUlid,
    name: key.name,
    mode: toKeyMode(key.accountId),
    scopes: key.scopes,
    status: statusOf(key, nowMs),
    created_at: isoUtc(key.createdAtMs),
    expires_at: isoOrNull(key.expiresAtMs),
    revoked_at: isoOrNull(key.revokedAtMs),
    last_used_at: isoOrNull(keyUses?.usedAtMs(key.id) ?? key.lastUsedAtMs),
  };
}

/** A key without anything of its secret. */
export type KeyView = Readonly<ReturnType<typeof view>>;

function statusOf(key: KeyRecord, nowMs: number): "ACTIVE" | "EXPIRED" | "REVOKED" {
  if (key.revokedAtMs !== null) return "REVOKED";
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? "EXPIRED" : "ACTIVE";
}

const KNOWN_SCOPES = SCOPES.join(", ");
const SCOPES_OF_KEY = typedAs(
  { helpValues: { scopes: KNOWN_SCOPES } },
  severalOf(SCOPES, (unknown) => refuse("INVALID_SCOPE", { text: unknown, known: KNOWN_SCOPES })),
);

/** When a key ends; of what is typed the offset is written out, since it is UTC whatever the clocks of the account show. */
const ENDS_AT = optional(
  typedAs(
    {
      read: (typed) => {
        const time = readTime(typed);
        return time.ok ? done(isoUtc(time.value.beginMs)) : time;
      },
    },
    text("ISO", 40),
  ),
);

/** The end of a key by the clocks of its account; null: never. */
function readEnd(
  { store, clock }: AdminContext,
  accountId: string,
  ends: string | null,
): AdminOutcome<number | null> {
  if (ends === null) return done(null);
  const account = findAccount(store.read, accountId);
  return account.ok ? readInstant(ends, account.value.timezone, clock.nowMs()) : account;
}

export const KEY_OPERATIONS = {
  "key create": operation({
    may: "keys.change",
    params: {
      account: ACCOUNT,
      name: text("NAME", 100),
      scopes: SCOPES_OF_KEY,
      mode: MODE,
      expires_at: ENDS_AT,
    },
    run: (context, { account, name, scopes, mode, expires_at }) => {
      const end = readEnd(context, account, expires_at);
      if (!end.ok) return end;
      const ordered = SCOPES.filter((scope) => scopes.includes(scope));
      return keyCreate(context, account, { name, scopes: ordered, mode, expiresAtMs: end.value });
    },
  }),
  "key list": operation({
    does: "reads",
    params: { account: ACCOUNT },
    run: (context, { account }) => keyList(context, account),
  }),
  /** Ends a key at once and for good; harmless when it is over already. */
  "key revoke": operation({
    may: "keys.change",
    params: { key: word("KEY_ID", naming("key", text("KEY_ID", 40))) },
    run: (context, { key: keyId }) =>
      change(context, (tx, nowMs) => {
        const key = keyByKeyId(tx, keyId.toUpperCase());
        if (!key) return refuse("KEY_NOT_FOUND", { id: keyId });
        const isNew = revokeKey(tx, key.keyId, nowMs);
        const value = viewByKeyId(context, tx, key.keyId, nowMs);
        return done({
          value,
          audit: isNew
            ? {
                action: "key revoke",
                subject: key.keyId,
                detail: { account_id: value.account_id, name: key.name },
              }
            : null,
        });
      }),
  }),
};
