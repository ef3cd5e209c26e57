/** What an account pays: the operators' prices and its own, and what they were before. */

import { PRICE_OPERATIONS, priceHistory, priceList } from "../../../admin/operations/prices.ts";
import { done } from "../../../admin/operations/refusal.ts";
import { operatorNames } from "../../../config/config.ts";
import type { Account } from "../../../domain/accounts/accounts.ts";
import { operationRoutes } from "./operation-routes.ts";
import { ACCOUNT_SUBJECT, type PageContext } from "./request-context.ts";
import { routeOn } from "./route.ts";

function pricesOf(asked: PageContext, { ulid }: Account) {
  const list = priceList(asked.context, ulid);
  return list.ok ? done({ prices: withOperatorNames(asked, list.value.prices) }) : list;
}

function pricesBefore(asked: PageContext, { ulid }: Account) {
  const history = priceHistory(asked.context, ulid, 200);
  return history.ok
    ? done({ ...history.value, changes: withOperatorNames(asked, history.value.changes) })
    : history;
}

/** Adds to each the name by which people know its operator. */
export function withOperatorNames<Row extends { readonly operator: string }>(
  { context }: PageContext,
  rows: readonly Row[],
) {
  const names = operatorNames(context.config);
  return rows.map((row) => ({ ...row, operator_name: names[row.operator] ?? row.operator }));
}

export const PRICE_ROUTES = {
  "GET /accounts/:account/prices": routeOn(ACCOUNT_SUBJECT, "prices.read", pricesOf),
  "GET /accounts/:account/prices/history": routeOn(ACCOUNT_SUBJECT, "prices.read", pricesBefore),
  ...operationRoutes({
    "POST /accounts/:account/prices": PRICE_OPERATIONS["price set"],
    "POST /accounts/:account/prices/unset": PRICE_OPERATIONS["price unset"],
  }),
};
