import { isoOrNull } from "../../core/clock.ts";
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/read.ts";
import type { Account } from "../../domain/accounts/accounts.ts";
import { adjustOnce, topUp } from "../../domain/ledger/funding.ts";
import { type Balance, balanceOf } from "../../domain/ledger/wallet.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { changeOpenAccount, changeAnyAccount } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { findAccount } from "./find-account.ts";
import { operation } from "./operation.ts";
import { ACCOUNT, amount, ofForms, REASON, text, word } from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { checkAmount, checkWords, MAX_AMOUNT } from "./typed-values.ts";

/** The balance object of the public API, and whose it is. */
export type WalletView = { readonly account_id: string; readonly account: string } & Balance;

/** What was paid in, and the wallet after it. */
export type TopUpView = {
  readonly topup: number;
  readonly reference: string;
  /** When this reference was counted before; null if it counts now. Then nothing was paid in. */
  readonly already_counted_at: string | null;
  readonly note: Phrase | null;
} & WalletView;

/** What was corrected, and the wallet after it. */
export type AdjustmentView = { readonly adjustment: number; readonly reason: string } & WalletView;

/**
 * Pays money into a wallet. The reference counts once: with the same amount again nothing changes, with another
 * amount it is refused (docs/behaviour.md#causes).
 */
export async function walletTopUp(
  context: AdminContext,
  accountId: string,
  amount: Xof,
  reference: string,
): Promise<AdminOutcome<TopUpView>> {
  const checked = checkAmount(amount, "top_up", 1);
  if (!checked.ok) return checked;
  const words = checkWords(reference, "INVALID_REFERENCE", "reference", 100);
  if (!words.ok) return words;
  return changeOpenAccount(context, accountId, (tx, account, nowMs) => {
    const { id, ulid } = account;
    const result = topUp(tx, {
      accountId: id,
      accountUlid: ulid,
      amount,
      reference: words.value,
      atMs: nowMs,
    });
    if (result.kind === "conflict") {
      return refuse("REFERENCE_REUSED", {
        reference: words.value,
        amount: result.amount,
        account: account.name,
        at: result.atMs,
      });
    }
    const countedAtMs = result.kind === "already" ? result.atMs : null;
    return done({
      value: {
        topup: amount,
        reference: words.value,
        already_counted_at: isoOrNull(countedAtMs),
        note: countedAtMs === null ? null : phrase("cli.counted_already", { at: countedAtMs }),
        ...walletView(tx, account, nowMs),
      },
      audit:
        result.kind === "posted"
          ? { action: "wallet topup", subject: ulid, detail: { amount, reference: words.value } }
          : null,
    });
  });
}

/**
 * Corrects a wallet by hand, up or down; a prepaid wallet may end below zero. `once` names the correction, so that a form that is
 * sent twice counts once; each is a new one without it.
 */
export async function walletAdjust(
  context: AdminContext,
  accountId: string,
  amount: Xof,
  reason: string,
  once: string | null = null,
): Promise<AdminOutcome<AdjustmentView>> {
  const checked = checkAmount(amount, "adjustment", -MAX_AMOUNT);
  if (!checked.ok) return checked;
  if (amount === 0) return refuse("INVALID_AMOUNT.zero");
  const words = checkWords(reason, "INVALID_REASON", "reason", 500);
  if (!words.ok) return words;
  return changeAnyAccount(context, accountId, (tx, account, nowMs) => {
    const { id, ulid } = account;
    const name = once === null ? context.newId() : `${ulid}:${once}`;
    const result = adjustOnce(tx, { accountId: id, amount, reason: words.value, id: name, atMs: nowMs });
    if (result.kind === "conflict") {
      return refuse("REFERENCE_REUSED.adjustment", { at: result.atMs, amount: result.amount });
    }
    return done({
      value: { adjustment: amount, reason: words.value, ...walletView(tx, account, nowMs) },
      audit:
        result.kind === "posted"
          ? { action: "wallet adjust", subject: ulid, detail: { amount, reason: words.value } }
          : null,
    });
  });
}

/** What an account has and may spend. */
export function walletShow(context: AdminContext, accountId: string): AdminOutcome<WalletView> {
  const account = findAccount(context.store.read, accountId);
  return account.ok ? done(walletView(context.store.read, account.value, context.clock.nowMs())) : account;
}

function walletView(read: Reader, { id, ulid, name }: Account, nowMs: number): WalletView {
  return { account_id: ulid, account: name, ...balanceOf(read, id, nowMs) };
}

const REFERENCE = text("TEXT", 100);

export const WALLET_OPERATIONS = {
  "wallet topup": operation({
    may: "money.change",
    params: { account: ACCOUNT, amount: word("AMOUNT", amount(1)), reference: REFERENCE },
    run: (context, { account, amount, reference }) => walletTopUp(context, account, amount, reference),
  }),
  "wallet adjust": operation({
    may: "money.change",
    params: {
      account: ACCOUNT,
      amount: word("AMOUNT", amount()),
      reason: REASON,
      /** Names the correction: a form that is sent twice counts once. */
      reference: ofForms(REFERENCE),
    },
    run: (context, { account, amount, reason, reference }) =>
      walletAdjust(context, account, amount, reason, reference),
  }),
  "wallet show": operation({
    may: "money.read",
    does: "reads",
    params: { account: ACCOUNT },
    run: (context, { account }) => walletShow(context, account),
  }),
};
