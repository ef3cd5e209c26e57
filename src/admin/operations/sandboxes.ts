/** The sandboxes of accounts, which test keys open (docs/behaviour.md#test-keys). */

import { toLocalDate } from "../../core/calendar.ts";
import { toSandboxId } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import {
  type Account,
  accountById,
  createSandbox,
  hasSandbox,
  listSandboxes,
} from "../../domain/accounts/accounts.ts";
import type { KeyMode } from "../../domain/accounts/api-keys.ts";
import { creditSandbox, readCreditedDay } from "../../domain/ledger/funding.ts";
import { openWallet } from "../../domain/ledger/wallet.ts";
import { findAccount } from "./account-names.ts";
import type { AdminContext } from "./context.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

type CreditDeps = Pick<AdminContext, "config" | "newId">;

/** The row id of an account's sandbox, which is made where there is none yet. */
export function ensureSandbox(tx: Tx, deps: CreditDeps, { id, timezone }: Account, nowMs: number): number {
  const accountId = toSandboxId(id);
  if (hasSandbox(tx, id)) return accountId;
  createSandbox(tx, id, deps.newId(), nowMs);
  openWallet(tx, accountId);
  credit(tx, deps, { accountId, timezone }, nowMs);
  return accountId;
}

type Sandbox = { readonly accountId: number; readonly timezone: string };

function credit(tx: Tx, { config, newId }: CreditDeps, { accountId, timezone }: Sandbox, atMs: number): void {
  const { credit } = config.sandbox;
  creditSandbox(tx, { accountId, credit, day: toLocalDate(atMs, timezone), id: newId(), atMs });
}

/** Fills the wallets of sandboxes whose accounts have a new day. */
export async function creditSandboxes({
  store,
  clock,
  ...deps
}: CreditDeps & Pick<AdminContext, "store" | "clock">): Promise<void> {
  for (const accountId of listSandboxes(store.read)) {
    const timezone = accountById(store.read, accountId)?.timezone;
    if (!timezone || readCreditedDay(store.read, accountId) === toLocalDate(clock.nowMs(), timezone))
      continue;
    await store.write((tx) => credit(tx, deps, { accountId, timezone }, clock.nowMs()));
  }
}

/** The account that a text names, or its sandbox. */
export function findAccountByMode(read: Reader, text: string, mode: KeyMode): AdminOutcome<Account> {
  const found = findAccount(read, text);
  if (!found.ok || mode === "live") return found;
  const account = hasSandbox(read, found.value.id) ? accountById(read, toSandboxId(found.value.id)) : null;
  return account ? done(account) : refuse("NO_SANDBOX", { name: found.value.name });
}
