/** What a database that was just restored is told: what it holds as waiting may have left since. */
import { recordAudit } from "../../accounts/audit.ts";
import { isoUtc } from "../../base/clock.ts";
import { isSandboxLane } from "../../base/sandbox.ts";
import type { Config } from "../../config/config.ts";
import { holdAll, holdFlight } from "../../messages/held.ts";
import { rescueClaims } from "../../outbound/rescue.ts";
import { lastParked } from "../../sms/parked-receipts.ts";
import { settleUnheld } from "../../sms/rescue.ts";
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
 * Holds back everything that waits, has what was with an operator wait for a receipt that names it, and takes the time of the restore
 * for the last that was believed. Receipts that were parked before it are about nothing that left after the copy was made.
 */
export async function holdBack(store: Store, config: Config, facts: RestoreFacts): Promise<void> {
  const { restoredAtMs, file, madeAtMs, actor } = facts;
  const parkedBefore = lastParked(store.read);
  await store.write((tx) => {
    holdAll(tx, { restoredAtMs, file, madeAtMs, parkedBefore });
    noteClock(tx, restoredAtMs);
    endAllSessions(tx);
    const detail = { made_at: isoUtc(madeAtMs) };
    recordAudit(tx, { atMs: restoredAtMs, actor, action: "backup restore", subject: file, detail });
  });
  const settle = settleUnheld({ now: () => config });
  await rescueClaims(
    {
      store,
      settleUnheld: (tx, session, message, nowMs) => {
        // It was handed to nobody.
        if (isSandboxLane(message.operator)) {
          session.apply({ kind: "not_written", messageId: message.messageId });
          return;
        }
        holdFlight(tx, message.messageId);
        settle(tx, session, { ...message, isTaken: true }, nowMs);
      },
    },
    restoredAtMs,
  );
}
