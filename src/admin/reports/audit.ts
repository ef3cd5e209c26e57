/** Queries of the audit log by actor, command, account and time, newest first, page by page. */
import { isoUtc } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import { auditBefore, type StoredAuditEntry } from "../../domain/accounts/audit.ts";
import { findAccountOrNull } from "../operations/account-names.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation, type ValuesOf } from "../operations/operation.ts";
import { FROM, limit, OF_ACCOUNT, optional, readInstantRange, TO, text } from "../operations/parameters.ts";
import { type AdminOutcome, done } from "../operations/refusal.ts";

const MAX_ENTRIES = 10_000;

/** Entries read in one go. */
const PAGE = 500;

/** Entries that one page looks at, at most: what is rare is found page by page. */
const MAX_LOOKED_AT = 20_000;

const AUDIT_PARAMETERS = {
  actor: optional(text("NAME", 100)),
  /** A command, or the word that it begins with: `account close`, `account`. */
  action: optional(text("COMMAND", 100)),
  account: OF_ACCOUNT,
  from: FROM,
  to: TO,
  limit: limit(100, MAX_ENTRIES),
};

/** What is null is not asked for. */
export type AuditQuery = ValuesOf<typeof AUDIT_PARAMETERS>;

/** A page of the list. */
type AuditPage = {
  readonly entries: readonly AuditView[];
  /** The entry to look on from; null when nothing is left. */
  readonly next: string | null;
  /** Since when all that fits was found; null when all was looked at. */
  readonly searched_back_to: string | null;
};

/**
 * A page of the changes that fit, older than the entry `before`. `people` are the logins of the account that is asked about: what they
 * did is the account's, whatever it was about.
 */
export async function auditPage(
  context: AdminContext,
  query: AuditQuery,
  { before, people }: { readonly before: string | null; readonly people: readonly string[] },
): Promise<AdminOutcome<AuditPage>> {
  const asked = questionOf(context, query, people);
  if (!asked.ok) return asked;
  const entries: AuditView[] = [];
  const from = before === null ? Number.MAX_SAFE_INTEGER : Number(before);
  let looked = 0;
  for await (const page of pagesDown(context, from)) {
    for (const entry of page) {
      looked += 1;
      if (asked.value(entry)) entries.push(viewOf(entry));
      if (entries.length < query.limit && looked < MAX_LOOKED_AT) continue;
      const next = auditBefore(context.store.read, entry.id, 1).length > 0 ? String(entry.id) : null;
      return done({ entries, next, searched_back_to: next === null ? null : isoUtc(entry.atMs) });
    }
  }
  return done({ entries, next: null, searched_back_to: null });
}

type Fits = (entry: StoredAuditEntry) => boolean;

function questionOf(
  { clock, store, config }: AdminContext,
  query: AuditQuery,
  people: readonly string[],
): AdminOutcome<Fits> {
  const account = findAccountOrNull(store.read, query.account);
  if (!account.ok) return account;
  const time = readInstantRange(query, config.defaults.timezone, clock.nowMs(), clock.nowMs());
  if (!time.ok) return time;
  const { fromMs, toMs } = time.value;
  const ulid = account.value?.ulid ?? null;
  const own = new Set(people);
  return done(
    ({ atMs, actor, action, subject, detail }) =>
      (query.from === null || atMs >= fromMs) &&
      (query.to === null || atMs < toMs) &&
      (query.actor === null || actor === query.actor) &&
      (query.action === null || action === query.action || action.startsWith(`${query.action} `)) &&
      (ulid === null || subject === ulid || detail.account_id === ulid || own.has(actor)),
  );
}

/** The entries before one, a page at a time, the newest first. */
async function* pagesDown({ store, clock }: AdminContext, from: number): AsyncGenerator<StoredAuditEntry[]> {
  const pause = createYielder(clock);
  for (let before = from, isWhole = false; !isWhole; ) {
    const page = auditBefore(store.read, before, PAGE);
    yield page;
    before = page.at(-1)?.id ?? before;
    isWhole = page.length < PAGE;
    await pause();
  }
}

function viewOf({ atMs, actor, action, subject, detail }: StoredAuditEntry) {
  return { at: isoUtc(atMs), actor, action, subject, detail };
}

export type AuditView = Readonly<ReturnType<typeof viewOf>>;

export const AUDIT_OPERATIONS = {
  /** The latest administrative changes that fit, newest first. */
  "audit list": operation({
    does: "reads",
    params: AUDIT_PARAMETERS,
    run: async (context, query) => {
      const asked = questionOf(context, query, []);
      if (!asked.ok) return asked;
      const entries: AuditView[] = [];
      for await (const page of pagesDown(context, Number.MAX_SAFE_INTEGER)) {
        for (const entry of page)
          if (entries.length < query.limit && asked.value(entry)) entries.push(viewOf(entry));
        if (entries.length >= query.limit) break;
      }
      return done({ entries });
    },
  }),
};
