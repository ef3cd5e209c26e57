import type { Tx } from "../../db/write.ts";
import { applyToldOptOut, liftToldOptOut } from "../../domain/inbound/opt-out.ts";
import { notePreference, type SaidPreference, stoppedElsewhere } from "./preferences.ts";

/** Notes what a user said of marketing in WhatsApp itself and does it, where it is the newest. */
export function obeyPreference(tx: Tx, said: SaidPreference, nowMs: number): void {
  if (!notePreference(tx, said)) return;
  const { operator, msisdn } = said;
  if (said.isStop) {
    applyToldOptOut(tx, { operator, msisdn, source: "META", word: null }, nowMs);
    return;
  }
  const stoppedAt = stoppedElsewhere(tx, { operator, msisdn });
  liftToldOptOut(tx, { operator, msisdn, stoppedAt }, nowMs);
}
