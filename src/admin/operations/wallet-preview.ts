/** What a wallet would hold after a top-up or an adjustment, before anybody does it. */
import { isoUtc } from "../../core/clock.ts";
import type { Xof } from "../../core/money.ts";
import { findEarlierTopUp } from "../../domain/ledger/funding.ts";
import { balanceOf, readWallet } from "../../domain/ledger/wallet.ts";
import { isClosed } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { findAccount } from "./find-account.ts";
import { operation } from "./operation.ts";
import { ACCOUNT, amount, optional, text, word } from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { checkAmount, checkWords, MAX_AMOUNT } from "./typed-values.ts";

export type WalletPreview = {
  readonly account_id: string;
  readonly account: string;
  readonly amount: Xof;
  readonly balance_before: Xof;
  readonly balance_after: Xof;
  readonly spendable_before: Xof;
  readonly spendable_after: Xof;
  /** When this reference was counted before; then nothing would be added. */
  readonly already_counted_at: string | null;
};

/** What money is to be moved: paid in under a reference of its own, or corrected by hand. */
export type MoneyMovement =
  | { readonly kind: "topup"; readonly amount: Xof; readonly reference: string }
  | { readonly kind: "adjustment"; readonly amount: Xof };

/** Shows the account's name and its balance before and after, with the checks of the change itself. Nothing is changed. */
export function walletPreview(
  { store: { read }, clock }: AdminContext,
  accountId: string,
  money: MoneyMovement,
): AdminOutcome<WalletPreview> {
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
  const { balance, spendable } = balanceOf(read, id, clock.nowMs());
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
