/** What the page "Send" tells of operators that are paused, before anything is written. */
import { findAccount } from "../../../admin/operations/find-account.ts";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { type PauseTold, pausesTold } from "../pauses.ts";
import { type Asked, oneAccount } from "./asked.ts";

/** What texts would wait for that were sent now. */
export function pausesPage(
  asked: Asked,
  wanted: string,
): AdminOutcome<{ readonly pauses: readonly PauseTold[] }> {
  const own = oneAccount(asked, wanted);
  if (!own.ok) return own;
  const account = findAccount(asked.context.store.read, wanted);
  return account.ok ? done({ pauses: pausesTold(asked.context, account.value.id) }) : account;
}
