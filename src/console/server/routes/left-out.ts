/** Why somebody got no text: the batches that left their number out. */
import { Type as t } from "typebox";
import { done } from "../../../admin/operations/refusal.ts";
import { findRejectedRecipient } from "../../../admin/reports/rejected-recipients.ts";
import { findUnsentRows } from "../../../admin/reports/unsent-rows.ts";
import { renderNumberRefusal } from "./rejected-rows.ts";
import { canReadTexts, type PageContext, told } from "./request-context.ts";
import { type QueryOf, route } from "./route.ts";
import { ACCOUNT, filters, INSTANT, LIMIT, WORD } from "./schemas.ts";

const LEFT_OUT_QUERY = t.Object({
  number: WORD,
  ...filters({ account: ACCOUNT, from: INSTANT, to: INSTANT }).properties,
  limit: LIMIT,
});

/** The newest batches first, of one account or of all. */
async function leftOutPage(asked: PageContext, query: QueryOf<typeof LEFT_OUT_QUERY>) {
  return told(asked, await findRejectedRecipient(asked.context, query));
}

const ROWS_QUERY = t.Object({
  typed: WORD,
  ...filters({ account: ACCOUNT }).properties,
  limit: LIMIT,
});

/** Rows of the last days that were not sent and contain a number as it is written there, or a word. */
async function rowsPage(asked: PageContext, query: QueryOf<typeof ROWS_QUERY>) {
  const reads_values = canReadTexts(asked);
  const found = await findUnsentRows(asked.context, { ...query, readsValues: reads_values });
  if (!found.ok) return found;
  const rows = found.value.rows.map(({ reason, ...row }) => ({
    ...row,
    corrected: asked.may("messages.read") ? row.corrected : null,
    cause:
      reason === null
        ? row.cause === null
          ? ""
          : asked.translate(row.cause)
        : renderNumberRefusal(asked, reason, null),
  }));
  return done({ ...found.value, rows, reads_values });
}

export const LEFT_OUT_ROUTES = {
  "GET /left-out/rows": route("batches.read", rowsPage, { query: ROWS_QUERY }),
  "GET /left-out": route("batches.read", leftOutPage, { query: LEFT_OUT_QUERY }),
};
