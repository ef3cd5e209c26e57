import { type AuditDetail, auditBefore, type KeptEntry } from "../accounts/audit.ts";
import { isoUtc } from "../base/clock.ts";
import { slicer } from "../base/slices.ts";
import type { AdminContext } from "../operations/context.ts";
import { findAccount } from "../operations/find-account.ts";
import { readTypedSpan } from "../operations/instants.ts";
import { type AdminOutcome, done } from "../operations/refusal.ts";
import { checkLimit } from "../operations/typed-values.ts";

const MOST_ENTRIES = 10_000;

/** Entries read in one go. */
const PAGE = 500;

export type AuditView = {
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: AuditDetail;
};

/** As typed; what is null is not asked for. */
export type AuditQuery = {
  readonly actor: string | null;
  /** A command, or the word that it begins with: `account close`, `account`. */
  readonly action: string | null;
  readonly account: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: number;
};

/** The latest administrative changes that fit, newest first. */
export async function auditList(
  context: AdminContext,
  query: AuditQuery,
): Promise<AdminOutcome<{ readonly entries: readonly AuditView[] }>> {
  const { clock, store, config } = context;
  const checked = checkLimit(query.limit, MOST_ENTRIES);
  if (!checked.ok) return checked;
  const account = query.account === null ? done(null) : findAccount(store.read, query.account);
  if (!account.ok) return account;
  const time = readTypedSpan(query, config.defaults.timezone, clock.nowMs(), clock.nowMs());
  if (!time.ok) return time;
  const { fromMs, toMs } = time.value;
  const ulid = account.value?.ulid ?? null;
  const fits = ({ atMs, actor, action, subject, detail }: KeptEntry): boolean =>
    (query.from === null || atMs >= fromMs) &&
    (query.to === null || atMs < toMs) &&
    (query.actor === null || actor === query.actor) &&
    (query.action === null || action === query.action || action.startsWith(`${query.action} `)) &&
    (ulid === null || subject === ulid || detail.account_id === ulid);
  const entries: AuditView[] = [];
  const pause = slicer(clock);
  for (let before = Number.MAX_SAFE_INTEGER, isWhole = false; !isWhole && entries.length < query.limit; ) {
    const page = auditBefore(store.read, before, PAGE);
    for (const entry of page) if (fits(entry) && entries.length < query.limit) entries.push(viewOf(entry));
    before = page.at(-1)?.id ?? before;
    isWhole = page.length < PAGE;
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return done({ entries });
}

function viewOf({ atMs, actor, action, subject, detail }: KeptEntry): AuditView {
  return { at: isoUtc(atMs), actor, action, subject, detail };
}
