/** The page "Suppressions": search a number over all lists, one list, add, import, lift. */
import { type Static, Type as t } from "typebox";
import {
  SUPPRESSION_FIND_OPERATIONS,
  SUPPRESSION_IMPORT_OPERATIONS,
  SUPPRESSION_OPERATIONS,
  suppressionList,
} from "../../../admin/operations/suppressions.ts";
import { operationRoutes } from "./operation-routes.ts";
import { type PageContext, resolveAccountFilter } from "./request-context.ts";
import { route } from "./route.ts";
import { ACCOUNT, LIMIT, USUAL_ROWS, WORD } from "./schemas.ts";

/** A list: an account's, or the appliance-wide one where none is named. */
const LISTED_QUERY = t.Object({
  account: t.Optional(ACCOUNT),
  after: t.Optional(WORD),
  limit: LIMIT,
});

/** One list in the order of numbers. A confined user's is always their own. */
function suppressionsPage(asked: PageContext, { account, after, limit }: Static<typeof LISTED_QUERY>) {
  const list = resolveAccountFilter(asked, account);
  if (!list.ok) return list;
  return suppressionList(asked.context, list.value, after ?? null, limit ?? USUAL_ROWS);
}

export const SUPPRESSION_ROUTES = {
  "GET /suppressions": route({ operation: "suppressions.read", query: LISTED_QUERY }, (asked, { query }) =>
    suppressionsPage(asked, query),
  ),
  ...operationRoutes(
    {
      "GET /suppressions/number": SUPPRESSION_FIND_OPERATIONS["suppression find"],
      "POST /suppressions": SUPPRESSION_OPERATIONS["suppression add"],
      "POST /suppressions/lift": SUPPRESSION_OPERATIONS["suppression remove"],
      "POST /suppressions/import": SUPPRESSION_IMPORT_OPERATIONS["suppression import"],
    },
    { "POST /suppressions/import": { mostBytes: 8_388_608 } },
  ),
};
