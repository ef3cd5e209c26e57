import { type AuditDetail, listAudit } from "../accounts/audit.ts";
import { isoUtc } from "../base/clock.ts";
import type { AdminContext } from "../operations/context.ts";
import { type AdminOutcome, done } from "../operations/refusal.ts";
import { checkLimit } from "../operations/typed-values.ts";

const MOST_ENTRIES = 10_000;

export type AuditView = {
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: AuditDetail;
};

/** The latest `limit` administrative changes, newest first. */
export function auditList(
  context: AdminContext,
  limit: number,
): AdminOutcome<{ readonly entries: readonly AuditView[] }> {
  const checked = checkLimit(limit, MOST_ENTRIES);
  if (!checked.ok) return checked;
  const entries = listAudit(context.store.read, limit).map(({ atMs, ...rest }) => ({
    at: isoUtc(atMs),
    ...rest,
  }));
  return done({ entries });
}
