/** The page "Suppressions": search a number over all lists, one list, add, import, lift. */
import { Type as t } from "typebox";
import { done } from "../../../admin/operations/refusal.ts";
import {
  SUPPRESSION_FIND_OPERATIONS,
  SUPPRESSION_IMPORT_OPERATIONS,
  SUPPRESSION_OPERATIONS,
  suppressionList,
  suppressionListAll,
} from "../../../admin/operations/suppressions.ts";
import { accountByUlid } from "../../../domain/accounts/accounts.ts";
import { operationRoutes } from "./operation-routes.ts";
import type { PageContext } from "./request-context.ts";
import { type QueryOf, route } from "./route.ts";
import { ACCOUNT, LIMIT, WORD } from "./schemas.ts";

/** A list: an account's, or all of them where none is named: the appliance-wide one, and then each account's. */
const LISTED_QUERY = t.Object({
  account: t.Optional(ACCOUNT),
  after: t.Optional(WORD),
  limit: LIMIT,
});

/** Lists in the order of numbers, each row with the list that it is of. A confined user's is always their own. */
async function suppressionsPage(
  { context }: PageContext,
  { account, after, limit }: QueryOf<typeof LISTED_QUERY>,
) {
  if (account === null) return suppressionListAll(context, after, limit);
  const listed = await suppressionList(context, account, after, limit);
  if (!listed.ok) return listed;
  const { account_id, suppressions } = listed.value;
  const whose = account_id === null ? null : accountByUlid(context.store.read, account_id);
  const rows = suppressions.map((row) => ({ account_id, account: whose?.name ?? null, ...row }));
  return done({ ...listed.value, suppressions: rows });
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
