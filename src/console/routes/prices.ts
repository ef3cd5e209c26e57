/** What an account pays: the operators' prices and its own, and what they were before. */
import { type Static, Type as t } from "typebox";
import { MESSAGE_CLASSES } from "../../accounts/classes.ts";
import { operatorNames } from "../../config/operator-codes.ts";
import { priceHistory, priceList, priceSet, priceUnset } from "../../operations/prices.ts";
import { done } from "../../operations/refusal.ts";
import { type Asked, oneAccount } from "./asked.ts";
import { route } from "./route.ts";
import { ACCOUNT_PATH, nullable, WORD } from "./shapes.ts";

const CLASS = t.Enum(MESSAGE_CLASSES);

export const PRICE = t.Object({
  operator: WORD,
  message_class: t.Optional(nullable(CLASS)),
  amount: t.Integer({ minimum: 0, maximum: 1_000_000 }),
});
const PRICE_GONE = t.Omit(PRICE, ["amount"]);

export function pricesOf(asked: Asked, wanted: string) {
  const account = oneAccount(asked, wanted);
  if (!account.ok) return account;
  const list = priceList(asked.context, account.value);
  return list.ok ? done({ prices: named(asked, list.value.prices) }) : list;
}

function pricesBefore(asked: Asked, wanted: string) {
  const account = oneAccount(asked, wanted);
  if (!account.ok) return account;
  const history = priceHistory(asked.context, account.value, 200);
  return history.ok ? done({ ...history.value, changes: named(asked, history.value.changes) }) : history;
}

/** Each with the name by which people know its operator. */
function named<Row extends { readonly operator: string }>({ context }: Asked, rows: readonly Row[]) {
  const names = operatorNames(context.config);
  return rows.map((row) => ({ ...row, operator_name: names[row.operator] ?? row.operator }));
}

export async function setPrice(
  { context, inTheirWords }: Asked,
  account: string,
  price: Static<typeof PRICE>,
) {
  const { operator, amount, message_class } = price;
  const set = await priceSet(context, account, { operator, amount, messageClass: message_class ?? null });
  if (!set.ok) return set;
  const { warning } = set.value;
  return done({ ...set.value, warning: warning && inTheirWords(warning) });
}

export function unsetPrice({ context }: Asked, account: string, price: Static<typeof PRICE_GONE>) {
  return priceUnset(context, account, {
    operator: price.operator,
    messageClass: price.message_class ?? null,
  });
}

export const PRICE_ROUTES = {
  "GET /accounts/:account/prices": route(
    { operation: "prices.read", params: ACCOUNT_PATH },
    (asked, { params }) => pricesOf(asked, params.account),
  ),
  "GET /accounts/:account/prices/history": route(
    { operation: "prices.read", params: ACCOUNT_PATH },
    (asked, { params }) => pricesBefore(asked, params.account),
  ),
  "POST /accounts/:account/prices": route(
    { operation: "prices.change", params: ACCOUNT_PATH, body: PRICE },
    (asked, { params, body }) => setPrice(asked, params.account, body),
  ),
  "POST /accounts/:account/prices/unset": route(
    { operation: "prices.change", params: ACCOUNT_PATH, body: PRICE_GONE },
    (asked, { params, body }) => unsetPrice(asked, params.account, body),
  ),
};
