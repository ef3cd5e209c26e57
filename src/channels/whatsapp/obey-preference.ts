import type { Tx } from "../../db/write.ts";
import { applyChannelOptOut, liftChannelOptOut } from "../../domain/inbound/opt-out.ts";
import { notePreference, type MarketingPreference, stoppedElsewhere } from "./preferences.ts";

/** Notes what a user said of marketing in WhatsApp itself and does it, where it is the newest. */
export function applyPreference(tx: Tx, said: MarketingPreference, nowMs: number): void {
  if (!notePreference(tx, said)) return;
  const { operator, msisdn } = said;
  if (said.isStop) {
    applyChannelOptOut(tx, { operator, msisdn, source: "META", word: null }, nowMs);
    return;
  }
  const stoppedAt = stoppedElsewhere(tx, { operator, msisdn });
  liftChannelOptOut(tx, { operator, msisdn, stoppedAt }, nowMs);
}
