/** What a database that was just restored is told: what it holds as waiting may have left since. */
import { recordAudit } from "../../accounts/audit.ts";
import { isoUtc } from "../../base/clock.ts";
import { holdAll, holdFlight } from "../../messages/held.ts";
import type { SettleUnheld } from "../../outbound/line.ts";
import { rescueClaims } from "../../outbound/rescue.ts";
import { lastParked } from "../../sms/parked-receipts.ts";
import { noteClock } from "../../store/clock-mark.ts";
import type { Store } from "../../store/store.ts";
import { endAllSessions } from "../../users/sessions.ts";

export type RestoreFacts = {
  readonly restoredAtMs: number;
  readonly file: string;
  readonly madeAtMs: number;
  readonly actor: string;
};

/**
 * Holds back everything that is not at its end, has what was with an operator wait for what names it, each by its channel's
 * `settleUnheld`, and takes the time of the restore for the last that was believed. Receipts that were parked before it are about
 * nothing that left after the copy was made.
 */
export async function holdBack(store: Store, settleUnheld: SettleUnheld, facts: RestoreFacts): Promise<void> {
  const { restoredAtMs, file, madeAtMs, actor } = facts;
  const parkedBefore = lastParked(store.read);
  await store.write((tx) => {
    holdAll(tx, { restoredAtMs, file, madeAtMs, parkedBefore });
    noteClock(tx, restoredAtMs);
    endAllSessions(tx);
    const detail = { made_at: isoUtc(madeAtMs) };
    recordAudit(tx, { atMs: restoredAtMs, actor, action: "backup restore", subject: file, detail });
  });
  await rescueClaims(
    {
      store,
      settleUnheld: (tx, session, message, nowMs) => {
        holdFlight(tx, message.messageId);
        settleUnheld(tx, session, { ...message, isTaken: true }, nowMs);
      },
    },
    restoredAtMs,
  );
}
