/** Stores the newest that Meta reported of each user's wish for marketing by a number (docs/behaviour.md#consent-of-whatsapp). */
import type { ErasedNumber } from "../../core/number-matcher.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { applyChannelOptOut, liftChannelOptOut } from "../../domain/inbound/opt-out.ts";
import { familyCode, familyOf } from "../../domain/messages/operator-codes.ts";

/** What a user said of marketing by a number, and when. */
type MarketingPreference = {
  /** The number's operator code. */
  readonly operator: string;
  /** E.164 with "+", or what stands for a user whose number is not known. */
  readonly msisdn: string;
  readonly isStop: boolean;
  /** Epoch milliseconds, as Meta tells them: by its clock, not by ours. */
  readonly saidAtMs: number;
};

type Known = { readonly saidAt: number; readonly isStop: number };

/** What is known of one user and one number. */
type PreferenceRecord = Known & { readonly operator: string };

/** All that is known of a user by the number, E.164 with "+". */
export function readPreferences(read: Reader, msisdn: string): PreferenceRecord[] {
  return read.all<PreferenceRecord>(
    `SELECT operator, said_at AS saidAt, is_stop AS isStop FROM whatsapp_preferences WHERE recipient = ?
     ORDER BY operator`,
    msisdn,
  );
}

/** The other numbers at which the newest that a user said is a stop, by the codes under which that is stored. */
function stoppedElsewhere(
  tx: Tx,
  { operator, msisdn }: Pick<MarketingPreference, "operator" | "msisdn">,
): string[] {
  const own = familyCode(tx, operator);
  const said = namesOf(tx, msisdn).flatMap((name) => readPreferences(tx, name));
  const byNumber = Map.groupBy(said, ({ operator: code }) => familyCode(tx, code));
  byNumber.delete(own);
  return [...byNumber.values()].flatMap((all) => {
    const newest = all.reduce((last, each) => (isNewer(each, last) ? each : last));
    return newest.isStop === 1 ? all.map(({ operator: code }) => code) : [];
  });
}

/** At the same moment the stop counts. */
function isNewer(one: Known, other: Known): boolean {
  return one.saidAt > other.saidAt || (one.saidAt === other.saidAt && one.isStop > other.isStop);
}

/** A number, and the name that replaced it where it was erased. */
function namesOf(tx: Tx, msisdn: string): string[] {
  return [msisdn, tx.nameOf(msisdn)].filter((name) => name !== null);
}

/**
 * Notes what a user said, where it is newer than all that is stored of the same user and number; returns whether it is. Where both were
 * said in one second, the stop counts. The row outlives the suppression, and a new code of the number.
 */
export function notePreference(tx: Tx, { operator, msisdn, isStop, saidAtMs }: MarketingPreference): boolean {
  const names = namesOf(tx, msisdn);
  for (const code of familyOf(tx, operator)) {
    for (const recipient of names) {
      const known = tx.get<Known>(
        "SELECT said_at AS saidAt, is_stop AS isStop FROM whatsapp_preferences WHERE operator = ? AND recipient = ?",
        code,
        recipient,
      );
      if (known === null || saidAtMs > known.saidAt) continue;
      if (saidAtMs < known.saidAt || known.isStop === 1 || !isStop) return false;
    }
  }
  tx.run(
    `INSERT INTO whatsapp_preferences (operator, recipient, said_at, is_stop) VALUES ($operator, $msisdn, $saidAtMs, $isStop)
     ON CONFLICT (operator, recipient) DO UPDATE SET said_at = excluded.said_at, is_stop = excluded.is_stop`,
    { operator, msisdn, saidAtMs, isStop: isStop ? 1 : 0 },
  );
  return true;
}

/** Deletes all that was said under a name. */
export function forgetPreferences(tx: Tx, recipient: string): void {
  tx.run("DELETE FROM whatsapp_preferences WHERE recipient = ?", recipient);
}

/** Puts the name in place of a number that is erased: a repeat by Meta must not undo what is newer. */
export function erasePreferences(tx: Tx, { msisdn, name }: ErasedNumber): number {
  tx.run(
    `INSERT INTO whatsapp_preferences (operator, recipient, said_at, is_stop)
     SELECT operator, $name, said_at, is_stop FROM whatsapp_preferences WHERE recipient = $msisdn
     ON CONFLICT (operator, recipient) DO UPDATE SET said_at = excluded.said_at, is_stop = excluded.is_stop`,
    { msisdn, name },
  );
  return tx.run("DELETE FROM whatsapp_preferences WHERE recipient = ?", msisdn);
}

/** Notes what a user said of marketing in WhatsApp itself and applies it, where it is the newest. */
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
