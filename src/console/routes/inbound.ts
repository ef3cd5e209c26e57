/** The page "Inbound": what subscribers sent in. A text is shown to staff for a reason. */
import { type Static, Type as t } from "typebox";
import { inboundText } from "../../inbound/inbound-texts.ts";
import { type InboundTextView, inboundTextShow } from "../../operations/inbound-text.ts";
import { type AdminOutcome, done, refuse } from "../../operations/refusal.ts";
import { hasLeft, type InboundView, inboundList, inboundOfAccount } from "../../reports/inbound.ts";
import { type Asked, reasonToRead } from "./asked.ts";
import { route } from "./route.ts";
import { INSTANT, LIMIT, REASON_TO_READ, ROW_ID, USUAL_ROWS, WORD } from "./shapes.ts";

const INBOUND_QUERY = t.Object({
  operator: t.Optional(WORD),
  from: t.Optional(INSTANT),
  before: t.Optional(ROW_ID),
  limit: LIMIT,
});
const INBOUND_PATH = t.Object({
  inbound: t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});

type InboundAsked = Static<typeof INBOUND_QUERY>;

/** An inbound text without what it says. */
type InboundRow = Omit<InboundView, "text" | "hex"> & {
  /** How long it is; null: it is no text. */
  readonly characters: number | null;
};

export type InboundRows = {
  readonly texts: readonly InboundRow[];
  /** Long texts whose parts have not all come; null for a user of an account. */
  readonly waiting_for_parts: number | null;
  readonly next_before: number | null;
};

/** Inbound texts newest first, with how long each is; for a user of an account those that opted somebody out of it. */
async function inboundPage(asked: Asked, query: InboundAsked): Promise<AdminOutcome<InboundRows>> {
  const { context, account } = asked;
  const { limit = USUAL_ROWS } = query;
  const before = query.before ?? null;
  if (account !== null) {
    const own = await inboundOfAccount(context, account, { before, limit });
    if (!own.ok) return own;
    return done({ ...own.value, texts: own.value.texts.map(rowOf), waiting_for_parts: null });
  }
  const operator = query.operator ?? null;
  const page = await inboundList(context, { operator, from: query.from ?? null, before, limit });
  if (!page.ok) return page;
  return done({ ...page.value, texts: page.value.texts.map(rowOf) });
}

function rowOf({ text, hex: _, ...row }: InboundView): InboundRow {
  return { ...row, characters: text === null ? null : [...text].length };
}

/** One inbound text, of staff for a reason that is audited. */
async function textOfInbound(
  asked: Asked,
  id: number,
  body: Static<typeof REASON_TO_READ>,
): Promise<AdminOutcome<InboundTextView>> {
  const own = ownInbound(asked, id);
  return own.ok ? inboundTextShow(asked.context, id, reasonToRead(asked, body)) : own;
}

/** Refuses a text that left another account as if there were none. */
function ownInbound({ context, account }: Asked, id: number): AdminOutcome<null> {
  const text = inboundText(context.store.read, id);
  return text && (account === null || hasLeft(text, account))
    ? done(null)
    : refuse("MESSAGE_NOT_FOUND.inbound", { id });
}

export const INBOUND_ROUTES = {
  "GET /inbound": route({ operation: "inbound.read", query: INBOUND_QUERY }, (asked, { query }) =>
    inboundPage(asked, query),
  ),
  "POST /inbound/:inbound/text": route(
    { operation: "inbound.text", params: INBOUND_PATH, body: REASON_TO_READ },
    (asked, { params, body }) => textOfInbound(asked, params.inbound, body),
  ),
};
