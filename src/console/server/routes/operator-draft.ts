/** The page "What comes next": drafts the configuration of another operator and checks it; changes nothing. */
import { type Static, Type as t } from "typebox";
import { operatorDraft } from "../../../admin/operations/operator-draft.ts";
import { done, refuse } from "../../../admin/operations/refusal.ts";
import { toQuotedFault } from "./appliance.ts";
import type { PageContext } from "./request-context.ts";
import { route } from "./route.ts";
import { WORD } from "./schemas.ts";

const DRAFT = t.Object({
  code: t.String({ pattern: "^[A-Za-z][A-Za-z0-9_-]{0,31}$" }),
  name: WORD,
  host: t.String({ minLength: 1, maxLength: 255 }),
  port: t.Integer({ minimum: 1, maximum: 65_535 }),
  system_id: WORD,
  bind: t.Optional(t.Union([t.Literal("transceiver"), t.Literal("separate")])),
  window: t.Optional(t.Integer({ minimum: 1, maximum: 1000 })),
  throughput: t.Optional(t.Integer({ minimum: 1, maximum: 100_000 })),
  receipts: t.Optional(t.Boolean()),
  prefixes: t.Array(t.String({ pattern: "^[0-9]{1,15}$" }), { minItems: 1, maxItems: 100 }),
  /** Only from those who may set prices. */
  price: t.Optional(t.Integer({ minimum: 0, maximum: 1_000_000 })),
});

const NOT_THE_PRICE = refuse("INVALID_AMOUNT.of_owner");

/** Those who may not set prices leave it to an owner: the configuration takes an operator without one. */
async function draftOperator(asked: PageContext, { price, ...draft }: Static<typeof DRAFT>) {
  if (price !== undefined && !asked.may("prices.change")) return NOT_THE_PRICE;
  const { bind = "transceiver", window = 10, throughput = 30, receipts = true } = draft;
  const made = await operatorDraft(asked.context, {
    ...draft,
    bind,
    window,
    throughput,
    receipts,
    price: price ?? null,
  });
  if (!made.ok) return made;
  return done({ ...made.value, faults: made.value.faults.map(toQuotedFault(asked.translate)) });
}

export const OPERATOR_DRAFT_ROUTES = {
  "POST /appliance/operator-draft": route("appliance.change", draftOperator, { body: DRAFT }),
};
