/** What an account pays: the operators' prices and its own, and what they were before. */

import { PRICE_OPERATIONS, priceHistory, priceList } from "../../../admin/operations/prices.ts";
import { done } from "../../../admin/operations/refusal.ts";
import { operatorNames } from "../../../config/config.ts";
import { operationRoutes } from "./operation-routes.ts";
import { type PageContext, resolveAccount } from "./request-context.ts";
import { route } from "./route.ts";
import { ACCOUNT_PATH } from "./schemas.ts";

function pricesOf(asked: PageContext, wanted: string) {
  const account = resolveAccount(asked, wanted);
  if (!account.ok) return account;
  const list = priceList(asked.context, account.value);
  return list.ok ? done({ prices: named(asked, list.value.prices) }) : list;
}

function pricesBefore(asked: PageContext, wanted: string) {
  const account = resolveAccount(asked, wanted);
  if (!account.ok) return account;
  const history = priceHistory(asked.context, account.value, 200);
  return history.ok ? done({ ...history.value, changes: named(asked, history.value.changes) }) : history;
}

/** Adds to each the name by which people know its operator. */
function named<Row extends { readonly operator: string }>({ context }: PageContext, rows: readonly Row[]) {
  const names = operatorNames(context.config);
  return rows.map((row) => ({ ...row, operator_name: names[row.operator] ?? row.operator }));
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
  ...operationRoutes({
    "POST /accounts/:account/prices": PRICE_OPERATIONS["price set"],
    "POST /accounts/:account/prices/unset": PRICE_OPERATIONS["price unset"],
  }),
};
