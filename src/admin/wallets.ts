import type { Xof } from "../base/money.ts";
import { adjust, topUp } from "../wallet/funding.ts";
import { type Balance, balanceOf } from "../wallet/wallet.ts";
import { findAccount } from "./accounts.ts";
import { checkAmount, LARGEST_AMOUNT } from "./amount.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { checkWords } from "./words.ts";

/**
 * Pays money into a wallet. The reference counts once: with the same amount again nothing changes, with another
 * amount it is refused (decisions.md section 5).
 */
export async function walletTopUp(
  context: AdminContext,
  accountId: string,
  amount: Xof,
  reference: string,
): Promise<AdminOutcome<Balance>> {
  const checked = checkAmount(amount, "a top-up", 1);
  if (!checked.ok) return checked;
  const words = checkWords(reference, "INVALID_REFERENCE", "reference", 100);
  if (!words.ok) return words;
  return change(context, (tx, nowMs) => {
    const account = findAccount(tx, accountId);
    if (!account.ok) return account;
    const { id, ulid } = account.value;
    const result = topUp(tx, {
      accountId: id,
      accountUlid: ulid,
      amount,
      reference: words.value,
      atMs: nowMs,
    });
    if (result === "conflict") {
      return refuse(
        "REFERENCE_REUSED",
        `the reference ${JSON.stringify(words.value)} stands for a top-up of another amount`,
      );
    }
    return done({
      value: balanceOf(tx, id, nowMs),
      audit:
        result === "posted"
          ? { action: "wallet topup", subject: ulid, detail: { amount, reference: words.value } }
          : null,
    });
  });
}

/** Corrects a wallet by hand, up or down; a prepaid wallet may end below zero. */
export async function walletAdjust(
  context: AdminContext,
  accountId: string,
  amount: Xof,
  reason: string,
): Promise<AdminOutcome<Balance>> {
  const checked = checkAmount(amount, "an adjustment", -LARGEST_AMOUNT);
  if (!checked.ok) return checked;
  if (amount === 0) return refuse("INVALID_AMOUNT", "an adjustment of 0 XOF changes nothing");
  const words = checkWords(reason, "INVALID_REASON", "reason", 500);
  if (!words.ok) return words;
  return change(context, (tx, nowMs) => {
    const account = findAccount(tx, accountId);
    if (!account.ok) return account;
    const { id, ulid } = account.value;
    adjust(tx, { accountId: id, amount, reason: words.value, id: context.newId(), atMs: nowMs });
    return done({
      value: balanceOf(tx, id, nowMs),
      audit: { action: "wallet adjust", subject: ulid, detail: { amount, reason: words.value } },
    });
  });
}

/** The balance object of the public API. */
export function walletShow(context: AdminContext, accountId: string): AdminOutcome<Balance> {
  const account = findAccount(context.store.read, accountId);
  return account.ok ? done(balanceOf(context.store.read, account.value.id, context.clock.nowMs())) : account;
}
