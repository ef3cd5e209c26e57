/** Makes one administrative change with its audit entry, in one transaction (docs/administration.md#recorded-changes). */
import type { Tx } from "../../db/writer.ts";
import type { Account } from "../../domain/accounts/accounts.ts";
import { type AuditEntry, recordAudit } from "../../domain/accounts/audit.ts";
import { findAccount } from "./account-names.ts";
import type { AdminContext, ChangeNotice } from "./context.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

/** What an operation did: the answer, and its line for the audit list; null when nothing changed after all. */
export type Change<T> = {
  readonly value: T;
  readonly audit: Pick<AuditEntry, "action" | "subject" | "detail"> | null;
  /** What the running server is told of it, if anything changed. */
  readonly concern?: ChangeNotice;
};

/** What a change is made with. */
export type ChangeContext = Pick<AdminContext, "store" | "clock" | "actor" | "server" | "from">;

/**
 * Does one administrative change: the change and its audit entry in one transaction, then a word to the running
 * server if it has to do with it. `work` must refuse before its first write, because a refusal does not undo anything.
 */
export function change<T>(
  context: ChangeContext,
  work: (tx: Tx, nowMs: number) => AdminOutcome<Change<T>>,
): Promise<AdminOutcome<T>> {
  return context.store.write((tx) => {
    const atMs = context.clock.nowMs();
    const outcome = work(tx, atMs);
    if (!outcome.ok) return outcome;
    const { value, audit, concern } = outcome.value;
    if (audit) {
      const { actor, from } = context;
      const asked = from ? { address: from.address, request_id: from.requestId } : {};
      recordAudit(tx, { atMs, actor, ...audit, detail: { ...audit.detail, ...asked } });
      if (concern) tx.afterCommit(() => context.server?.changed(concern));
    }
    return done(value);
  });
}

/** Changes something of the account that a text names; refused of a closed one. */
export function changeOpenAccount<T>(
  context: AdminContext,
  accountId: string,
  work: (tx: Tx, account: Account, nowMs: number) => AdminOutcome<Change<T>>,
): Promise<AdminOutcome<T>> {
  return changeAnyAccount(context, accountId, (tx, account, nowMs) =>
    account.status === "CLOSED" ? isClosed(account) : work(tx, account, nowMs),
  );
}

/** The answer to a change that a closed account does not take. */
export function isClosed({ name, ulid, closedAtMs }: Account) {
  return closedAtMs === null
    ? refuse("ACCOUNT_CLOSED", { name, id: ulid })
    : refuse("ACCOUNT_CLOSED.since", { name, id: ulid, at: closedAtMs });
}

/** Changes something of the account that a text names, closed or not. */
export function changeAnyAccount<T>(
  context: AdminContext,
  accountId: string,
  work: (tx: Tx, account: Account, nowMs: number) => AdminOutcome<Change<T>>,
): Promise<AdminOutcome<T>> {
  return change(context, (tx, nowMs) => {
    const account = findAccount(tx, accountId);
    return account.ok ? work(tx, account.value, nowMs) : account;
  });
}
