/** What a database that was just restored is told: what it holds as waiting may have left since. */

import { lastParked } from "../../channels/sms/parked-receipts.ts";
import { isoUtc } from "../../core/clock.ts";
import { noteClock } from "../../db/clock-mark.ts";
import type { Store } from "../../db/store.ts";
import type { SettleUnheld } from "../../dispatch/line.ts";
import { rescueClaims } from "../../dispatch/rescue.ts";
import { recordAudit } from "../../domain/accounts/audit.ts";
import { endAllSessions } from "../../domain/accounts/sessions.ts";
import { holdAll, holdFlight } from "../../domain/messages/held.ts";

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
