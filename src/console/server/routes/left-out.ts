/** Why somebody got no text: the batches that left their number out. */
import { type Static, Type as t } from "typebox";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { findRejectedRecipient, type RejectedView } from "../../../admin/reports/rejected-recipients.ts";
import { findUnsentRows, type UnsentRowsView } from "../../../admin/reports/unsent-rows.ts";
import type { Told } from "../../../i18n/phrase.ts";
import { renderNumberRefusal } from "./rejected-rows.ts";
import { canReadTexts, type PageContext, resolveAccountFilter, told } from "./request-context.ts";
import { route } from "./route.ts";
import { ACCOUNT, filters, INSTANT, LIMIT, USUAL_ROWS, WORD } from "./schemas.ts";

const LEFT_OUT_QUERY = t.Object({
  number: WORD,
  ...filters({ account: ACCOUNT, from: INSTANT, to: INSTANT }).properties,
  limit: LIMIT,
});

/** The newest batches first, of one account or of all. */
async function leftOutPage(
  asked: PageContext,
  { number, account: wanted, from, to, limit }: Static<typeof LEFT_OUT_QUERY>,
): Promise<AdminOutcome<Told<RejectedView>>> {
  const account = resolveAccountFilter(asked, wanted);
  if (!account.ok) return account;
  const found = await findRejectedRecipient(asked.context, {
    number,
    account: account.value,
    from: from ?? null,
    to: to ?? null,
    limit: limit ?? USUAL_ROWS,
  });
  return told(asked, found);
}

const ROWS_QUERY = t.Object({
  typed: WORD,
  ...filters({ account: ACCOUNT }).properties,
  limit: LIMIT,
});

/** Rows of the last days that were not sent and contain a number as it is written there, or a word. */
type RowsView = Omit<UnsentRowsView, "rows"> & {
  readonly rows: readonly (Omit<UnsentRowsView["rows"][number], "reason" | "cause"> & {
    readonly cause: string;
  })[];
  /** Whether their other columns were searched too. */
  readonly reads_values: boolean;
};

async function rowsPage(
  asked: PageContext,
  { typed, account: wanted, limit }: Static<typeof ROWS_QUERY>,
): Promise<AdminOutcome<RowsView>> {
  const account = resolveAccountFilter(asked, wanted);
  if (!account.ok) return account;
  const reads_values = canReadTexts(asked);
  const found = await findUnsentRows(asked.context, {
    typed,
    account: account.value,
    readsValues: reads_values,
    limit: limit ?? USUAL_ROWS,
  });
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
  "GET /left-out/rows": route({ operation: "batches.read", query: ROWS_QUERY }, (asked, { query }) =>
    rowsPage(asked, query),
  ),
  "GET /left-out": route({ operation: "batches.read", query: LEFT_OUT_QUERY }, (asked, { query }) =>
    leftOutPage(asked, query),
  ),
};
