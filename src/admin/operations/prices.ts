/**
 * Operations on the prices of an account by operator and message class: set, unset, list, history. Whole XOF per segment; on
 * WhatsApp, per message.
 */
import { isoUtc } from "../../core/clock.ts";
import { CURRENCY, type Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import { type PriceOf, priceChanges, setPrice, unsetPrice } from "../../domain/accounts/prices.ts";
import { type ListedPrice, listAllPrices } from "../../domain/submission/price-list.ts";
import { phrase } from "../../i18n/phrase.ts";
import { findAccount } from "./account-names.ts";
import { changeOpenAccount } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { checkOperatorCode } from "./operators.ts";
import { ACCOUNT, amount, CLASS, limit, OPERATOR, optional, typedAs } from "./parameters.ts";
import { done, refuse } from "./refusal.ts";

const MAX_CHANGES = 10_000;

/** The highest price of a segment, XOF: as in the configuration, so that a batch's total stays exact. */
const HIGHEST_PRICE: Xof = 1_000_000;

type PriceView = ListedPrice & { readonly currency: string };

type PriceInput = PriceOf & { readonly amount: Xof };

/** Sets what an account pays for a segment; batches accepted before keep their price. */
export async function priceSet(context: AdminContext, accountId: string, price: PriceInput) {
  const known = checkOperatorCode(context.config, price.operator);
  if (!known.ok) return known;
  if (!Number.isInteger(price.amount) || price.amount < 0 || price.amount > HIGHEST_PRICE) {
    return refuse("INVALID_AMOUNT.price", { most: HIGHEST_PRICE });
  }
  return changeOpenAccount(context, accountId, (tx, { id, ulid }, nowMs) => {
    setPrice(tx, id, price, nowMs);
    const { operator, messageClass: message_class, amount } = price;
    return done({
      value: {
        account_id: ulid,
        operator,
        message_class,
        amount,
        currency: CURRENCY,
        source: "account" as const,
        /** Said when the price is zero: what is sent then costs nothing. */
        warning: amount === 0 ? phrase("cli.costs_nothing", { operator }) : null,
      },
      audit: { action: "price set", subject: ulid, detail: { operator, message_class, amount } },
    });
  });
}

/**
 * Takes a price of an account's own away: what stands behind it counts from then on, the account's price for all
 * classes or the operator's. An operator that left the configuration may still be named.
 */
async function priceUnset(context: AdminContext, accountId: string, price: PriceOf) {
  return changeOpenAccount(context, accountId, (tx, { id, ulid }, nowMs) => {
    if (!unsetPrice(tx, id, price, nowMs)) {
      return refuse("PRICE_NOT_FOUND");
    }
    const { operator, messageClass: message_class } = price;
    return done({
      value: { account_id: ulid, prices: pricesOf(context, tx, id) },
      audit: { action: "price unset", subject: ulid, detail: { operator, message_class } },
    });
  });
}

/** What an account pays: the operators' prices, and its own that go before them. */
export function priceList(context: AdminContext, accountId: string) {
  const account = findAccount(context.store.read, accountId);
  if (!account.ok) return account;
  return done({ prices: pricesOf(context, context.store.read, account.value.id) });
}

function pricesOf({ config }: AdminContext, read: Reader, accountId: number): PriceView[] {
  return listAllPrices(config, read, accountId).map(({ operator, message_class, amount, source }) => ({
    operator,
    message_class,
    amount,
    currency: CURRENCY,
    source,
  }));
}

/** The newest `limit` changes of an account's prices, newest first, those that count today among them. */
export function priceHistory(context: AdminContext, accountId: string, limit: number) {
  const account = findAccount(context.store.read, accountId);
  if (!account.ok) return account;
  const changes = priceChanges(context.store.read, account.value.id, limit).map(
    ({ atMs, operator, messageClass, amount }) => ({
      at: isoUtc(atMs),
      operator,
      message_class: messageClass,
      /** Null: it was taken away. */
      amount,
      currency: CURRENCY,
    }),
  );
  return done({ changes });
}

/** How many changes are shown unless asked otherwise. */
const USUAL_CHANGES = 100;

/** Null: every class without a price of its own. */
const OF_CLASS = optional(typedAs({ flag: "class" }, CLASS));

export const PRICE_OPERATIONS = {
  "price set": operation({
    may: "prices.change",
    params: {
      account: ACCOUNT,
      operator: OPERATOR,
      amount: amount(0, HIGHEST_PRICE),
      message_class: OF_CLASS,
    },
    run: (context, { account, operator, amount, message_class }) =>
      priceSet(context, account, { operator, amount, messageClass: message_class }),
  }),
  "price unset": operation({
    may: "prices.change",
    params: { account: ACCOUNT, operator: OPERATOR, message_class: OF_CLASS },
    run: (context, { account, operator, message_class }) =>
      priceUnset(context, account, { operator, messageClass: message_class }),
  }),
  "price list": operation({
    does: "reads",
    params: { account: ACCOUNT },
    run: (context, { account }) => priceList(context, account),
  }),
  "price history": operation({
    does: "reads",
    params: { account: ACCOUNT, limit: limit(USUAL_CHANGES, MAX_CHANGES) },
    run: (context, { account, limit }) => priceHistory(context, account, limit),
  }),
};
