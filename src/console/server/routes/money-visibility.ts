/** Which amounts each role sees on the pages. */

import type { AdminOutcome, AdminRefusal } from "../../../admin/operations/refusal.ts";
import type { QuoteData } from "../../../admin/operations/submissions.ts";
import { PAYMENT_REFUSALS } from "../../../domain/ledger/reservations.ts";
import type { Wallet } from "../../../domain/ledger/wallet.ts";
import { type Phrase, phrase } from "../../../i18n/phrase.ts";

/** Amounts of messages and batches, for those who may see money; null for others. */
type Amounts = { readonly [Name in AmountName]?: number };
type AmountName = "amount" | "reserved_amount" | "charged_amount" | "released_amount";

const NAMES: readonly AmountName[] = ["amount", "reserved_amount", "charged_amount", "released_amount"];

/** The same with amounts that may be hidden. */
export type MaybeMoney<T> = {
  readonly [Name in keyof T]: Name extends AmountName ? T[Name] | null : T[Name];
};

/** Hides the amounts of a row from those who may not see money. */
export function hideMoney<T extends Amounts>(seesMoney: boolean, row: T): MaybeMoney<T> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    !seesMoney && isAmount(name) ? null : value,
  ]);
  return Object.fromEntries(entries) as MaybeMoney<T>;
}

function isAmount(name: string): boolean {
  return NAMES.some((amount) => amount === name);
}

/** Figures with what was charged, for those who may see money; null for others. */
type MaybeCharged<Figures extends { readonly charged: number }> = Omit<Figures, "charged"> & {
  readonly charged: number | null;
};

/** Hides what was charged from those who may not see money. */
export function hideCharges<Figures extends { readonly charged: number }>(
  seesMoney: boolean,
  figures: Figures,
): MaybeCharged<Figures> {
  return { ...figures, charged: seesMoney ? figures.charged : null };
}

/** Of the balance only what the wallet lacks for a quote; null where it suffices, or where that is unknown. */
type Affordable = { readonly missing: number | null };

/** A quote for those who see the balance; others learn only whether the wallet suffices, and how much it lacks. */
export function hideQuoteMoney<
  Quote extends Pick<QuoteData, "amount" | "refusal" | "spendable_before" | "spendable_after">,
>(canSeeBalance: boolean, quote: Quote, { funds, creditLimit }: Wallet): Quote & Affordable {
  const { refusal, amount } = quote;
  // The amount to spend is never shown as negative, and what is owed already is missing too.
  const lacks = amount - funds - creditLimit;
  const missing = refusal !== null && lacks > 0 ? lacks : null;
  if (canSeeBalance) return { ...quote, missing };
  return {
    ...quote,
    missing,
    spendable_before: null,
    spendable_after: null,
    refusal: refusal && refusalFor(false, refusal),
  };
}

/** A refusal, without the balance for those who may not see it. */
export function hideRefusalMoney(canSeeBalance: boolean, refusal: AdminRefusal): AdminOutcome<never> {
  return { ok: false, refusal: refusalFor(canSeeBalance, refusal) };
}

function refusalFor<Why extends { readonly code: string; readonly detail: Phrase }>(
  canSeeBalance: boolean,
  refusal: Why,
): Why {
  if (canSeeBalance || !PAYMENT_REFUSALS.some((code) => code === refusal.code)) return refusal;
  return { ...refusal, detail: phrase("refusal.INSUFFICIENT_FUNDS.untold") };
}

/** A setting of the configuration that is a price. */
const PRICE_SETTING = /\.price(\.|$)/;

/** The webhook of alerts: with many providers its path is as good as a password. */
const ALERT_WEBHOOK = "alerts.webhook";

/** A setting for a page: of the webhook of alerts its host alone, and no price to those who may not see prices. */
export function hideSetting(seesPrices: boolean, path: string, value: unknown): unknown {
  if (path === ALERT_WEBHOOK && typeof value === "string" && URL.canParse(value))
    return new URL(value).origin;
  if (seesPrices || value === null) return value;
  if (PRICE_SETTING.test(path)) return "(hidden)";
  // An operator that is added or removed is shown whole.
  if (typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, hideSetting(false, `${path}.${name}`, inner)]),
  );
}
