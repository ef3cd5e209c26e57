/** Alarms as they came and went: since when, until when. The newest thousand are remembered. */

import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import type { AlarmState } from "./lifecycle.ts";
import type { AlarmFacts } from "./rules.ts";
import { alarmPhrases } from "./texts.ts";

const REMEMBERED = 1000;

/** Notes that an alarm began, or is over. One that lasts stays as it is, but for what its words are made of. */
export function notePast(
  tx: Tx,
  { rule, subject, sinceMs, isFiring, clearedAtMs, facts }: Omit<AlarmState, "startsMs">,
): void {
  if (!isFiring) {
    tx.run(
      "UPDATE past_alarms SET ended_at = ? WHERE rule = ? AND subject = ? AND ended_at IS NULL",
      clearedAtMs,
      rule,
      subject,
    );
    return;
  }
  tx.run(
    `INSERT INTO past_alarms (rule, subject, since, facts) VALUES ($rule, $subject, $sinceMs, $facts)
     ON CONFLICT (rule, subject) WHERE ended_at IS NULL DO UPDATE SET facts = excluded.facts`,
    { rule, subject, sinceMs, facts: JSON.stringify(facts) },
  );
  tx.run("DELETE FROM past_alarms WHERE id <= (SELECT max(id) FROM past_alarms) - +?", REMEMBERED);
}

/** Times are epoch milliseconds. */
export type PastAlarm = Pick<AlarmState, "rule" | "subject" | "sinceMs"> & {
  readonly detail: Phrase;
  /** Null while it lasts. */
  readonly endedAtMs: number | null;
};

/** What lasts and what lasted, the newest first. `named`: what its facts are called there. */
export function pastAlarms(
  read: Reader,
  limit: number,
  named: (facts: AlarmFacts) => AlarmFacts = (facts) => facts,
): PastAlarm[] {
  return read
    .all<Omit<PastAlarm, "detail"> & { readonly facts: string }>(
      `SELECT rule, subject, since AS sinceMs, ended_at AS endedAtMs, facts FROM past_alarms ORDER BY id DESC LIMIT ?`,
      limit,
    )
    .map(({ facts, ...alarm }) => ({
      ...alarm,
      detail: alarmPhrases(alarm.rule, named(JSON.parse(facts) as AlarmFacts)).detail,
    }));
}
