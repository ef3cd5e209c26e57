/** The page "Audit": who did what, when, from where; an account's administrators see what concerns their account. */
import { Type as t } from "typebox";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { IS_TAKEN, listAccountUsers, userList } from "../../../admin/operations/users.ts";
import { type AuditView, auditPage } from "../../../admin/reports/audit.ts";
import { operatorNames } from "../../../config/config.ts";
import { renderSheetHead, renderSheetLines } from "../../../core/csv.ts";
import { accountByUlid } from "../../../domain/accounts/accounts.ts";
import { toOperatorCode } from "../../../domain/accounts/senders.ts";
import { type PageContext, requireOwnKey, resolveAccountFilter } from "./request-context.ts";
import { csvFile, type Download, type QueryOf, route } from "./route.ts";
import { ACCOUNT, filters, INSTANT, LIMIT, ROW_ID, WORD } from "./schemas.ts";

const FILTERS = { actor: WORD, action: WORD, account: ACCOUNT, from: INSTANT, to: INSTANT };
const FILE_QUERY = filters(FILTERS);
const AUDIT_QUERY = t.Object({
  ...FILE_QUERY.properties,
  before: t.Optional(ROW_ID),
  limit: LIMIT,
});

/** An audit entry. */
type AuditEntryView = Omit<AuditView, "actor"> & {
  /** Null: staff, seen by account users. */
  readonly actor: string | null;
  /** How it was done: console, command line, a program with a key, or a text of a recipient. */
  readonly way: AuditChannel;
  /** Address of the request; null where it did not come from here, and where it may not be seen. */
  readonly address: string | null;
};

type AuditChannel = "CONSOLE" | "COMMAND" | "KEY" | "RECIPIENT";

export type AuditPageView = {
  readonly entries: readonly AuditEntryView[];
  /** Names of the accounts that the entries give by id. */
  readonly accounts: Readonly<Record<string, string>>;
  /** Names of operators by code; empty for account users. */
  readonly operators: Readonly<Record<string, string>>;
  readonly next: string | null;
  readonly searched_back_to: string | null;
};

type Wanted = QueryOf<typeof FILE_QUERY>;

async function auditOf(
  asked: PageContext,
  { before, ...wanted }: Wanted & { readonly before: string | null; readonly limit: number },
): Promise<AdminOutcome<AuditPageView>> {
  const { context } = asked;
  const users = wanted.account === null ? done({ users: [] }) : peopleOf(asked, wanted.account);
  if (!users.ok) return users;
  const people = users.value.users.map(({ login }) => login);
  const isOwn = (actor: string) =>
    asked.account === null || people.includes(actor) || requireOwnKey(asked, keyOf(actor)).ok;
  // A filter by name must not reveal whether somebody of other accounts did something.
  if (wanted.actor !== null && !isOwn(wanted.actor)) {
    return done({ entries: [], operators: {}, accounts: {}, next: null, searched_back_to: null });
  }
  const page = await auditPage(context, wanted, { before, people });
  if (!page.ok) return page;
  const isStaff = asked.account === null;
  const operators = isStaff ? operatorNames(context.config) : {};
  const entries = withoutReadRequests(page.value.entries).map((entry) =>
    isStaff ? entry : withoutSecrets(entry),
  );
  const views = entries.map((entry) => shown(entry, isOwn));
  return done({ ...page.value, entries: views, operators, accounts: namesIn(asked, views) });
}

/**
 * Drops the entry that requested a batch where another records its acceptance: a send is audited before it is tried, so that one
 * that broke off is found. The downloaded file has both. Newest first.
 */
export function withoutReadRequests<Entry extends Pick<AuditView, "action" | "actor" | "subject" | "detail">>(
  entries: readonly Entry[],
): Entry[] {
  const accepted = new Set<string>();
  return entries.filter(({ action, actor, subject, detail }) => {
    if (action !== "batch send") return true;
    const send = `${actor} ${subject} ${String(detail.request_id ?? "")}`;
    if (detail.step === "accepted") {
      accepted.add(send);
      return true;
    }
    // The request belongs to the next younger acceptance, and to no other.
    return !accepted.delete(send);
  });
}

/** Names of accounts that entries give by id; account users get only that of their own. */
function namesIn(asked: PageContext, entries: readonly AuditEntryView[]): Readonly<Record<string, string>> {
  const ids = new Set(
    entries.flatMap(({ subject, detail: { account_id: id } }) => [subject, typeof id === "string" ? id : ""]),
  );
  const named = [...ids].flatMap((id): [string, string][] => {
    const account = resolveAccountFilter(asked, id).ok ? accountByUlid(asked.context.store.read, id) : null;
    return account ? [[id, account.name]] : [];
  });
  return Object.fromEntries(named);
}

/** Users of an account; account users get only those who have signed in. */
function peopleOf({ account, context }: PageContext, of: string) {
  return account === null ? userList(context, of) : listAccountUsers(context, of);
}

/** Prefix of a key's id, where a program did something. */
const KEY_ACTOR = "key ";
/** Actor of an opt-out by text. */
const RECIPIENT = "recipient";

function keyOf(actor: string): string {
  return actor.startsWith(KEY_ACTOR) ? actor.slice(KEY_ACTOR.length) : "";
}

function wayOf(actor: string, address: unknown): AuditChannel {
  if (actor === RECIPIENT) return "RECIPIENT";
  if (keyOf(actor) !== "") return "KEY";
  return address === undefined ? "COMMAND" : "CONSOLE";
}

/** Hides what only staff may know: whether a login exists elsewhere, and by which routes an operator is reached. */
function withoutSecrets(entry: AuditView): AuditView {
  const { [IS_TAKEN]: _, ...detail } = entry.detail;
  const { operator } = detail;
  const isOfRoute = typeof operator === "string" && operator.includes("/");
  return { ...entry, detail: isOfRoute ? { ...detail, operator: toOperatorCode(operator) } : detail };
}

/** An entry as shown; account users see what staff did, not who nor from where. */
function shown(
  { actor, detail: { address, request_id: requestId, ...detail }, ...entry }: AuditView,
  isOwn: (actor: string) => boolean,
): AuditEntryView {
  const way = wayOf(actor, address);
  if (!isOwn(actor)) return { ...entry, actor: null, way, address: null, detail };
  const request = requestId === undefined ? {} : { request_id: requestId };
  return {
    ...entry,
    actor,
    way,
    address: address === undefined ? null : String(address),
    detail: { ...detail, ...request },
  };
}

/** Entries in one step of a file. */
const STEP = 1000;

/** All matching entries, the newest first, as a spreadsheet file in the reader's language. */
async function auditFile(asked: PageContext, wanted: Wanted): Promise<AdminOutcome<Download>> {
  const first = await auditOf(asked, { ...wanted, before: null, limit: STEP });
  if (!first.ok) return first;
  return done(csvFile("audit.csv", auditLines(asked, wanted, first.value)));
}

async function* auditLines(asked: PageContext, wanted: Wanted, first: AuditPageView): AsyncGenerator<string> {
  yield renderSheetHead(asked.language, [["at", "actor", "action", "subject", "way", "address", "detail"]]);
  for (let page = first; ; ) {
    const lines = page.entries.map(({ at, actor, action, subject, way, address, detail }) => [
      ...[at, actor ?? "", action, subject, way, address ?? "", JSON.stringify(detail)],
    ]);
    yield renderSheetLines(asked.language, lines);
    if (page.next === null) return;
    const next = await auditOf(asked, { ...wanted, before: page.next, limit: STEP });
    if (!next.ok) return;
    page = next.value;
  }
}

export const AUDIT_ROUTES = {
  "GET /audit": route("audit.read", auditOf, { query: AUDIT_QUERY }),
  "GET /audit.csv": route("audit.read", auditFile, { query: FILE_QUERY }),
};
