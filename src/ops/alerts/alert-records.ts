/** The stored alerts: current states, silences and history. */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { renderAlert } from "./alert-texts.ts";
import type { AlertState } from "./lifecycle.ts";
import type { AlertFacts, RuleName } from "./rules.ts";

type Row = Omit<AlertState, "isFiring" | "startsMs" | "facts"> & {
  readonly isFiring: number;
  readonly starts: string;
  readonly facts: string;
};

/** Every alert that fires or did within the last hour. */
export function readAlerts(read: Reader): AlertState[] {
  return read
    .all<Row>(
      `SELECT rule, subject, since AS sinceMs, is_firing AS isFiring, notified_at AS notifiedAtMs, cleared_at AS clearedAtMs,
         starts, facts FROM alerts ORDER BY rule, subject`,
    )
    .map(({ isFiring, starts, facts, ...row }) => ({
      ...row,
      isFiring: isFiring === 1,
      startsMs: JSON.parse(starts) as number[],
      facts: JSON.parse(facts) as AlertFacts,
    }));
}

export function storeAlert(tx: Tx, { startsMs, facts, isFiring, ...state }: AlertState): void {
  tx.run(
    `INSERT INTO alerts (rule, subject, since, is_firing, notified_at, cleared_at, starts, facts)
     VALUES ($rule, $subject, $sinceMs, $isFiring, $notifiedAtMs, $clearedAtMs, $starts, $facts)
     ON CONFLICT DO UPDATE SET since = excluded.since, is_firing = excluded.is_firing, notified_at = excluded.notified_at,
       cleared_at = excluded.cleared_at, starts = excluded.starts, facts = excluded.facts`,
    {
      ...state,
      isFiring: isFiring ? 1 : 0,
      starts: JSON.stringify(startsMs),
      facts: JSON.stringify(facts),
    },
  );
}

export function deleteAlert(tx: Tx, { rule, subject }: Pick<AlertState, "rule" | "subject">): void {
  tx.run("DELETE FROM alerts WHERE rule = ? AND subject = ?", rule, subject);
}

/** Until when each rule is silenced, epoch milliseconds. */
export function silences(read: Reader): ReadonlyMap<string, number> {
  const rows = read.all<{ rule: string; until: number }>("SELECT rule, until FROM alert_silences");
  return new Map(rows.map(({ rule, until }) => [rule, until]));
}

/** Silences a rule until a time; a past time ends the silence. */
export function silence(tx: Tx, rule: RuleName, untilMs: number): void {
  tx.run(
    "INSERT INTO alert_silences (rule, until) VALUES (?, ?) ON CONFLICT DO UPDATE SET until = excluded.until",
    rule,
    untilMs,
  );
}

// The history of alerts: start and end. The newest thousand are kept.

const REMEMBERED = 1000;

/** Records that an alert began or ended. One that lasts only gets its new facts. */
export function recordPastAlert(
  tx: Tx,
  { rule, subject, sinceMs, isFiring, clearedAtMs, facts }: Omit<AlertState, "startsMs">,
): void {
  if (!isFiring) {
    tx.run(
      "UPDATE past_alerts SET ended_at = ? WHERE rule = ? AND subject = ? AND ended_at IS NULL",
      clearedAtMs,
      rule,
      subject,
    );
    return;
  }
  tx.run(
    `INSERT INTO past_alerts (rule, subject, since, facts) VALUES ($rule, $subject, $sinceMs, $facts)
     ON CONFLICT (rule, subject) WHERE ended_at IS NULL DO UPDATE SET facts = excluded.facts`,
    { rule, subject, sinceMs, facts: JSON.stringify(facts) },
  );
  tx.run("DELETE FROM past_alerts WHERE id <= (SELECT max(id) FROM past_alerts) - +?", REMEMBERED);
}

/** Times are epoch milliseconds. */
type PastAlert = Pick<AlertState, "rule" | "subject" | "sinceMs"> & {
  readonly detail: Phrase;
  /** Null while it lasts. */
  readonly endedAtMs: number | null;
};

/** Current and past alerts, newest first. `named`: converts facts for display. */
export function readPastAlerts(
  read: Reader,
  limit: number,
  named: (facts: AlertFacts) => AlertFacts = (facts) => facts,
): PastAlert[] {
  return read
    .all<Omit<PastAlert, "detail"> & { readonly facts: string }>(
      `SELECT rule, subject, since AS sinceMs, ended_at AS endedAtMs, facts FROM past_alerts ORDER BY id DESC LIMIT ?`,
      limit,
    )
    .map(({ facts, ...alarm }) => ({
      ...alarm,
      detail: renderAlert(alarm.rule, named(JSON.parse(facts) as AlertFacts)).detail,
    }));
}
