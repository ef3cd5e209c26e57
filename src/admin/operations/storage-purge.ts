import { createYielder } from "../../core/slices.ts";
import { recordAudit } from "../../domain/accounts/audit.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { YES } from "./parameters.ts";
import { type PurgeCounts, purge, purgeDue } from "./purge.ts";
import { type AdminOutcome, done } from "./refusal.ts";

export type PurgeView = Partial<PurgeCounts> & { readonly dry_run: boolean };

/**
 * Purges at once what a running server would within the hour, or says how many messages it would be. Broken off, what was purged
 * stays so, and the rest is done later.
 */
async function storagePurge(context: AdminContext, isDryRun: boolean): Promise<AdminOutcome<PurgeView>> {
  const { store, clock, actor } = context;
  if (isDryRun) return done({ dry_run: true, ...(await purgeDue(context, createYielder(clock))) });
  const counts = await purge(context, () => context.breakOff?.aborted === true);
  await store.write((tx) =>
    recordAudit(tx, { atMs: clock.nowMs(), actor, action: "storage purge", subject: "", detail: counts }),
  );
  return done({ dry_run: false, ...counts });
}

export const PURGE_OPERATIONS = {
  "storage purge": operation({
    does: (isGiven) => (isGiven("dry_run") ? "reads" : "changes"),
    params: { dry_run: YES },
    run: (context, { dry_run: isDryRun }) => storagePurge(context, isDryRun),
  }),
};
