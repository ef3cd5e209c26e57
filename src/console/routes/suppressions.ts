/** The page "Suppressions": search a number over all lists, one list, add, import, lift. */
import { type Static, Type as t } from "typebox";
import { type AdminOutcome, done } from "../../operations/refusal.ts";
import { suppressionFind } from "../../operations/suppression-find.ts";
import { suppressionImport } from "../../operations/suppression-import.ts";
import { suppressionAdd, suppressionList, suppressionRemove } from "../../operations/suppressions.ts";
import { type Asked, accountAsked } from "./asked.ts";
import { route } from "./route.ts";
import { ACCOUNT, LIMIT, nullable, USUAL_ROWS, WORD } from "./shapes.ts";

const CLASS = t.Union([
  t.Literal("OTP"),
  t.Literal("TRANSACTIONAL"),
  t.Literal("MARKETING"),
  t.Literal("all"),
]);

/** A list: an account's, or the appliance-wide one where none is named. */
const LISTED_QUERY = t.Object({
  account: t.Optional(ACCOUNT),
  after: t.Optional(WORD),
  limit: LIMIT,
});
/** A number, and the account whose list is meant beside the appliance-wide one; all of them without it. */
const NUMBER_QUERY = t.Object({ number: WORD, account: t.Optional(ACCOUNT) });
const SUPPRESS = t.Object({
  account: t.Optional(nullable(ACCOUNT)),
  msisdn: WORD,
  message_class: CLASS,
  note: t.Optional(nullable(t.String({ maxLength: 200 }))),
});
const SOURCE = t.Union([t.Literal("ADMIN"), t.Literal("IMPORT"), t.Literal("KEYWORD"), t.Literal("META")]);
/** `source`: only what came so; null: whatever brought it there. */
const LIFT = t.Object({
  ...t.Omit(SUPPRESS, ["note"]).properties,
  source: t.Optional(nullable(SOURCE)),
});
/** A file of 4 MiB holds some 200,000 numbers. */
export const IMPORT = t.Object({
  account: t.Optional(nullable(ACCOUNT)),
  message_class: CLASS,
  text: t.String({ minLength: 1, maxLength: 4_194_304 }),
  skip_invalid: t.Boolean(),
});

/** One list in the order of numbers. */
function suppressionsPage(asked: Asked, { account, after, limit }: Static<typeof LISTED_QUERY>) {
  const list = listAsked(asked, account);
  if (!list.ok) return list;
  return suppressionList(asked.context, list.value, after ?? null, limit ?? USUAL_ROWS);
}

/** What every list says of one number; a confined user's own list and the appliance-wide one. */
function numberOnLists(asked: Asked, { account, number }: Static<typeof NUMBER_QUERY>) {
  const of = accountAsked(asked, account);
  return of.ok ? suppressionFind(asked.context, number, of.value) : of;
}

export function suppress(asked: Asked, { account, note, ...entry }: Static<typeof SUPPRESS>) {
  const list = listAsked(asked, account);
  if (!list.ok) return list;
  const { msisdn } = entry;
  return suppressionAdd(asked.context, list.value, {
    ...{ msisdn, messageClass: classOf(entry.message_class) },
    note: note === undefined || note?.trim() === "" ? null : note,
  });
}

export function lift(asked: Asked, { account, msisdn, message_class, source }: Static<typeof LIFT>) {
  const list = listAsked(asked, account);
  if (!list.ok) return list;
  const messageClass = classOf(message_class);
  return suppressionRemove(asked.context, list.value, { msisdn, messageClass, source: source ?? null });
}

async function importNumbers(asked: Asked, { account, text, ...rest }: Static<typeof IMPORT>) {
  const list = listAsked(asked, account);
  if (!list.ok) return list;
  const { message_class, skip_invalid: skipInvalid } = rest;
  const imported = await suppressionImport(asked.context, list.value, {
    ...{ text, skipInvalid, messageClass: classOf(message_class) },
  });
  if (!imported.ok) return imported;
  const lines = imported.value.skipped_lines.map(({ line, problem }) => ({
    line,
    problem: asked.inTheirWords(problem),
  }));
  return done({ ...imported.value, skipped_lines: lines });
}

function classOf(asked: Static<typeof CLASS>) {
  return asked === "all" ? null : asked;
}

/** A confined user's list is always their own: null, the appliance-wide one, is never meant. */
function listAsked(asked: Asked, account: string | null | undefined): AdminOutcome<string | null> {
  const found = accountAsked(asked, account ?? undefined);
  return found.ok ? done(found.value) : found;
}

export const SUPPRESSION_ROUTES = {
  "GET /suppressions": route({ operation: "suppressions.read", query: LISTED_QUERY }, (asked, { query }) =>
    suppressionsPage(asked, query),
  ),
  "GET /suppressions/number": route(
    { operation: "suppressions.read", query: NUMBER_QUERY },
    (asked, { query }) => numberOnLists(asked, query),
  ),
  "POST /suppressions": route({ operation: "suppressions.change", body: SUPPRESS }, (asked, { body }) =>
    suppress(asked, body),
  ),
  "POST /suppressions/lift": route({ operation: "suppressions.change", body: LIFT }, (asked, { body }) =>
    lift(asked, body),
  ),
  "POST /suppressions/import": route(
    { operation: "suppressions.change", body: IMPORT, mostBytes: 8_388_608 },
    (asked, { body }) => importNumbers(asked, body),
  ),
};
