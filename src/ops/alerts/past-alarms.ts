/** Alarms as they came and went: since when, until when. The newest thousand are remembered. */

import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import type { AlertState } from "./lifecycle.ts";
import type { AlertFacts } from "./rules.ts";
import { renderAlert } from "./texts.ts";

const REMEMBERED = 1000;

/** Notes that an alarm began, or is over. One that lasts stays as it is, but for what its words are made of. */
export function recordPastAlert(
  tx: Tx,
  { rule, subject, sinceMs, isFiring, clearedAtMs, facts }: Omit<AlertState, "startsMs">,
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
export type PastAlert = Pick<AlertState, "rule" | "subject" | "sinceMs"> & {
  readonly detail: Phrase;
  /** Null while it lasts. */
  readonly endedAtMs: number | null;
};

/** What lasts and what lasted, the newest first. `named`: what its facts are called there. */
export function readPastAlerts(
  read: Reader,
  limit: number,
  named: (facts: AlertFacts) => AlertFacts = (facts) => facts,
): PastAlert[] {
  return read
    .all<Omit<PastAlert, "detail"> & { readonly facts: string }>(
      `SELECT rule, subject, since AS sinceMs, ended_at AS endedAtMs, facts FROM past_alarms ORDER BY id DESC LIMIT ?`,
      limit,
    )
    .map(({ facts, ...alarm }) => ({
      ...alarm,
      detail: renderAlert(alarm.rule, named(JSON.parse(facts) as AlertFacts)).detail,
    }));
}
