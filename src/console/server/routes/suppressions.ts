/** The page "Suppressions": search a number over all lists, one list, add, import, lift. */
import { Type as t } from "typebox";
import {
  SUPPRESSION_FIND_OPERATIONS,
  SUPPRESSION_IMPORT_OPERATIONS,
  SUPPRESSION_OPERATIONS,
  suppressionList,
} from "../../../admin/operations/suppressions.ts";
import { operationRoutes } from "./operation-routes.ts";
import type { PageContext } from "./request-context.ts";
import { type QueryOf, route } from "./route.ts";
import { ACCOUNT, LIMIT, WORD } from "./schemas.ts";

/** A list: an account's, or the appliance-wide one where none is named. */
const LISTED_QUERY = t.Object({
  account: t.Optional(ACCOUNT),
  after: t.Optional(WORD),
  limit: LIMIT,
});

/** One list in the order of numbers. A confined user's is always their own. */
function suppressionsPage({ context }: PageContext, { account, after, limit }: QueryOf<typeof LISTED_QUERY>) {
  return suppressionList(context, account, after, limit);
}

export const SUPPRESSION_ROUTES = {
  "GET /suppressions": route("suppressions.read", suppressionsPage, { query: LISTED_QUERY }),
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
