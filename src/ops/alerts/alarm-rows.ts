/** What is remembered of alarms. */
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { AlertState } from "./lifecycle.ts";
import type { AlertFacts, RuleName } from "./rules.ts";

type Row = Omit<AlertState, "isFiring" | "startsMs" | "facts"> & {
  readonly isFiring: number;
  readonly starts: string;
  readonly facts: string;
};

/** Every alarm that fires or did within the last hour. */
export function readAlerts(read: Reader): AlertState[] {
  return read
    .all<Row>(
      `SELECT rule, subject, since AS sinceMs, is_firing AS isFiring, told_at AS toldAtMs, cleared_at AS clearedAtMs,
         starts, facts FROM alarms ORDER BY rule, subject`,
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
    `INSERT INTO alarms (rule, subject, since, is_firing, told_at, cleared_at, starts, facts)
     VALUES ($rule, $subject, $sinceMs, $isFiring, $toldAtMs, $clearedAtMs, $starts, $facts)
     ON CONFLICT DO UPDATE SET since = excluded.since, is_firing = excluded.is_firing, told_at = excluded.told_at,
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
  tx.run("DELETE FROM alarms WHERE rule = ? AND subject = ?", rule, subject);
}

/** Until when nothing is told of each rule, epoch milliseconds. */
export function silences(read: Reader): ReadonlyMap<string, number> {
  const rows = read.all<{ rule: string; until: number }>("SELECT rule, until FROM alarm_silences");
  return new Map(rows.map(({ rule, until }) => [rule, until]));
}

/** Tells nothing of a rule until then; a time that is past ends it. */
export function silence(tx: Tx, rule: RuleName, untilMs: number): void {
  tx.run(
    "INSERT INTO alarm_silences (rule, until) VALUES (?, ?) ON CONFLICT DO UPDATE SET until = excluded.until",
    rule,
    untilMs,
  );
}
