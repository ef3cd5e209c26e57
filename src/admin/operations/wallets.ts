/** Operations on wallets: top up, adjust by hand, show, and preview either movement without booking it. */
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import type { Account } from "../../domain/accounts/accounts.ts";
import { adjustOnce, findEarlierTopUp, topUp } from "../../domain/ledger/funding.ts";
import { readBalance, readWallet } from "../../domain/ledger/wallet.ts";
import { phrase } from "../../i18n/phrase.ts";
import { findAccount } from "./account-names.ts";
import { changeAnyAccount, changeOpenAccount, isClosed } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import {
  ACCOUNT,
  amount,
  checkAmount,
  checkWords,
  MAX_AMOUNT,
  ofForms,
  optional,
  REASON,
  text,
  word,
} from "./parameters.ts";
import { done, refuse } from "./refusal.ts";

/**
 * Pays money into a wallet. The reference counts once: with the same amount again nothing changes, with another
 * amount it is refused (docs/behaviour.md#causes).
 */
export async function walletTopUp(context: AdminContext, accountId: string, amount: Xof, reference: string) {
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
        /** When this reference was counted before; null if it counts now. Then nothing was paid in. */
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

/** The balance object of the public API, and whose it is. */
function walletView(read: Reader, { id, ulid, name }: Account, nowMs: number) {
  return { account_id: ulid, account: name, ...readBalance(read, id, nowMs) };
}

const REFERENCE = text("TEXT", 100);

export const WALLET_OPERATIONS = {
  "wallet topup": operation({
    may: "money.change",
    params: { account: ACCOUNT, amount: word("AMOUNT", amount(1)), reference: REFERENCE },
    run: (context, { account, amount, reference }) => walletTopUp(context, account, amount, reference),
  }),
  /**
   * Corrects a wallet by hand, up or down; a prepaid wallet may end below zero. `once` names the correction, so that a form that is
   * sent twice counts once; each is a new one without it.
   */
  "wallet adjust": operation({
    may: "money.change",
    params: {
      account: ACCOUNT,
      amount: word("AMOUNT", amount()),
      reason: REASON,
      /** Names the correction: a form that is sent twice counts once. */
      reference: ofForms(REFERENCE),
    },
    run: (context, { account: accountId, amount, reason, reference: once }) => {
      const checked = checkAmount(amount, "adjustment", -MAX_AMOUNT);
      if (!checked.ok) return checked;
      if (amount === 0) return refuse("INVALID_AMOUNT.zero");
      return changeAnyAccount(context, accountId, (tx, account, nowMs) => {
        const { id, ulid } = account;
        const name = once === null ? context.newId() : `${ulid}:${once}`;
        const result = adjustOnce(tx, { accountId: id, amount, reason, id: name, atMs: nowMs });
        if (result.kind === "conflict") {
          return refuse("REFERENCE_REUSED.adjustment", { at: result.atMs, amount: result.amount });
        }
        return done({
          value: { adjustment: amount, reason, ...walletView(tx, account, nowMs) },
          audit:
            result.kind === "posted"
              ? { action: "wallet adjust", subject: ulid, detail: { amount, reason } }
              : null,
        });
      });
    },
  }),
  /** What an account has and may spend. */
  "wallet show": operation({
    may: "money.read",
    does: "reads",
    params: { account: ACCOUNT },
    run: (context, { account: accountId }) => {
      const account = findAccount(context.store.read, accountId);
      return account.ok
        ? done(walletView(context.store.read, account.value, context.clock.nowMs()))
        : account;
    },
  }),
};

// What a wallet would hold after a top-up or an adjustment, before anybody does it.

/** What money is to be moved: paid in under a reference of its own, or corrected by hand. */
type MoneyMovement =
  | { readonly kind: "topup"; readonly amount: Xof; readonly reference: string }
  | { readonly kind: "adjustment"; readonly amount: Xof };

/** Shows the account's name and its balance before and after, with the checks of the change itself. Nothing is changed. */
export function walletPreview(
  { store: { read }, clock }: AdminContext,
  accountId: string,
  money: MoneyMovement,
) {
  const isTopUp = money.kind === "topup";
  const amount = checkAmount(money.amount, isTopUp ? "top_up" : "adjustment", isTopUp ? 1 : -MAX_AMOUNT);
  if (!amount.ok) return amount;
  if (money.amount === 0) return refuse("INVALID_AMOUNT.zero");
  const account = findAccount(read, accountId);
  if (!account.ok) return account;
  const { id, ulid, name, status } = account.value;
  if (isTopUp && status === "CLOSED") return isClosed(account.value);
  let countedAt: string | null = null;
  if (isTopUp) {
    const reference = checkWords(money.reference, "INVALID_REFERENCE", "reference", 100);
    if (!reference.ok) return reference;
    const before = findEarlierTopUp(read, ulid, reference.value);
    if (before && before.amount !== money.amount) {
      return refuse("REFERENCE_REUSED", {
        reference: reference.value,
        amount: before.amount,
        account: name,
        at: before.atMs,
      });
    }
    countedAt = before ? isoUtc(before.atMs) : null;
  }
  const { balance, spendable } = readBalance(read, id, clock.nowMs());
  const { funds } = readWallet(read, id);
  const added = countedAt === null ? money.amount : 0;
  return done({
    account_id: ulid,
    account: name,
    amount: money.amount,
    balance_before: balance,
    balance_after: balance + added,
    spendable_before: spendable,
    spendable_after: Math.max(0, funds + account.value.creditLimit + added),
    /** When this reference was counted before; then nothing would be added. */
    already_counted_at: countedAt,
  });
}

export const WALLET_PREVIEW_OPERATIONS = {
  "wallet preview": operation({
    does: "reads",
    params: {
      account: ACCOUNT,
      amount: word("AMOUNT", amount()),
      /** Of a payment; without one it is a correction. */
      reference: optional(text("TEXT", 100)),
    },
    run: (context, { account, amount, reference }) =>
      walletPreview(
        context,
        account,
        reference === null ? { kind: "adjustment", amount } : { kind: "topup", amount, reference },
      ),
  }),
};
