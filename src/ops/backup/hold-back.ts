/** What a database that was just restored is told: what it holds as waiting may have left since. */

import { readLastUnmatchedId } from "../../channels/sms/parked-receipts.ts";
import { isoUtc } from "../../core/clock.ts";
import { saveClockMark } from "../../db/clock-mark.ts";
import type { Store } from "../../db/store.ts";
import type { RecoverClaim } from "../../dispatch/line.ts";
import { recoverLeases } from "../../dispatch/rescue.ts";
import { recordAudit } from "../../domain/accounts/audit.ts";
import { endAllSessions } from "../../domain/accounts/sessions.ts";
import { holdAllMessages, holdInFlight } from "../../domain/messages/held.ts";

export type RestoreFacts = {
  readonly restoredAtMs: number;
  readonly file: string;
  readonly madeAtMs: number;
  readonly actor: string;
};

/**
 * Holds back everything that is not at its end, has what was with an operator wait for what names it, each by its channel's
 * `recoverClaim`, and takes the time of the restore for the last that was believed. Receipts that were parked before it are about
 * nothing that left after the copy was made.
 */
export async function holdRestoredMessages(store: Store, recoverClaim: RecoverClaim, facts: RestoreFacts): Promise<void> {
  const { restoredAtMs, file, madeAtMs, actor } = facts;
  const parkedBefore = readLastUnmatchedId(store.read);
  await store.write((tx) => {
    holdAllMessages(tx, { restoredAtMs, file, madeAtMs, parkedBefore });
    saveClockMark(tx, restoredAtMs);
    endAllSessions(tx);
    const detail = { made_at: isoUtc(madeAtMs) };
    recordAudit(tx, { atMs: restoredAtMs, actor, action: "backup restore", subject: file, detail });
  });
  await recoverLeases(
    {
      store,
      recoverClaim: (tx, session, message, nowMs) => {
        holdInFlight(tx, message.messageId);
        recoverClaim(tx, session, { ...message, isTaken: true }, nowMs);
      },
    },
    restoredAtMs,
  );
}
