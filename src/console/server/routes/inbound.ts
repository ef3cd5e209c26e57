/** The page "Inbound": what subscribers sent in. A text is shown to staff for a reason. */
import { Type as t } from "typebox";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
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

/** An inbound text without what it says. */
type InboundRow = Omit<InboundView, "text" | "hex"> & {
  /** Its length; null: it is no text. */
  readonly characters: number | null;
};

type InboundRows = {
  readonly texts: readonly InboundRow[];
  /** Long texts with parts missing; null for an account user. */
  readonly waiting_for_parts: number | null;
  readonly next_before: number | null;
};

/** Inbound texts newest first, with their lengths; for an account user those that opted somebody out of it. */
async function inboundPage(
  { context, account }: PageContext,
  { before, limit, ...filters }: QueryOf<typeof INBOUND_QUERY>,
): Promise<AdminOutcome<InboundRows>> {
  if (account !== null) {
    const own = await listAccountInbound(context, account, { before, limit });
    if (!own.ok) return own;
    return done({ ...own.value, texts: own.value.texts.map(rowOf), waiting_for_parts: null });
  }
  const page = await inboundList(context, { ...filters, before, limit });
  if (!page.ok) return page;
  return done({ ...page.value, texts: page.value.texts.map(rowOf) });
}

function rowOf({ text, hex: _, ...row }: InboundView): InboundRow {
  return { ...row, characters: text === null ? null : [...text].length };
}

export const INBOUND_ROUTES = {
  "GET /inbound": route("inbound.read", inboundPage, { query: INBOUND_QUERY }),
  ...operationRoutes({ "POST /inbound/:inbound/text": INBOUND_TEXT_OPERATIONS["inbound text"] }),
};
