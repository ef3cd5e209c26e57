/** The page "Inbound": what subscribers sent in. A text is shown to staff for a reason. */
import { Type as t } from "typebox";
import { done } from "../../../admin/operations/refusal.ts";
import { INBOUND_TEXT_OPERATIONS } from "../../../admin/operations/revealed-texts.ts";
import { type InboundView, inboundList, listAccountInbound } from "../../../admin/reports/inbound.ts";
import { operationRoutes } from "./operation-routes.ts";
import type { PageContext } from "./request-context.ts";
import { type QueryOf, route } from "./route.ts";
import { INSTANT, LIMIT, ROW_ID, WORD } from "./schemas.ts";

const INBOUND_QUERY = t.Object({
  operator: t.Optional(WORD),
  from: t.Optional(INSTANT),
  before: t.Optional(ROW_ID),
  limit: LIMIT,
});

/**
 * Inbound texts newest first, with their lengths; for an account user those that opted somebody out of it, and no count of long texts with
 * parts missing.
 */
async function inboundPage(
  { context, account }: PageContext,
  { before, limit, ...filters }: QueryOf<typeof INBOUND_QUERY>,
) {
  const page =
    account === null
      ? await inboundList(context, { ...filters, before, limit })
      : await listAccountInbound(context, account, { before, limit });
  if (!page.ok) return page;
  return done({ waiting_for_parts: null, ...page.value, texts: page.value.texts.map(rowOf) });
}

/** An inbound text without what it says. `characters`: its length; null: it is no text. */
function rowOf({ text, hex: _, ...row }: InboundView) {
  return { ...row, characters: text === null ? null : [...text].length };
}

export const INBOUND_ROUTES = {
  "GET /inbound": route("inbound.read", inboundPage, { query: INBOUND_QUERY }),
  ...operationRoutes({ "POST /inbound/:inbound/text": INBOUND_TEXT_OPERATIONS["inbound text"] }),
};
