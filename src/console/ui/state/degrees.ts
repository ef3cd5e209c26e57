/** How bad is what is wrong: what stops sending stands apart from what is only wrong. */
import type { LiveAlert, LiveConnection, LiveTrouble, StaffLive } from "../../server/live/live-view.ts";

/** Alarms that say that messages do not leave, or soon will not. */
const STOPPING_RULES: ReadonlySet<string> = new Set([
  ...["operator_down", "number_stopped", "otp_waits", "transactional_waits", "disk", "clock"],
]);

/** Findings of the health check that say the same. */
const STOPPING_CHECKS: ReadonlySet<string> = new Set(["ready", "database", "disk", "clock", "queue"]);

export type Degree = "stops" | "wrong";

/** How bad an alarm is; `not_taken` depends on whether the operator takes messages elsewhere. Pure. */
export function alarmDegree(
  { rule, subject }: Pick<LiveAlert, "rule" | "subject">,
  connections: readonly Link[],
): Degree {
  if (STOPPING_RULES.has(rule)) return "stops";
  const [operator = ""] = subject.split(" ");
  return rule === "not_taken" && !isTaking(operator, connections) ? "stops" : "wrong";
}

type Link = Pick<LiveConnection, "operator" | "state" | "paused" | "refusing">;

/** How bad a trouble is: an operator of which one connection still takes messages does not stop. Pure. */
export function troubleDegree(trouble: LiveTrouble, connections: readonly Link[]): Degree {
  switch (trouble.kind) {
    case "DOWN":
    case "REFUSING":
      return isTaking(trouble.operator, connections) ? "wrong" : "stops";
    case "CHECK":
      return STOPPING_CHECKS.has(trouble.check) ? "stops" : "wrong";
    // A pause is meant, and what is put off or orphaned keeps nothing else from leaving.
    case "PAUSED":
    case "PUT_OFF":
    case "STRAY":
      return "wrong";
  }
}

function isTaking(operator: string, connections: readonly Link[]): boolean {
  return connections.some(
    (link) =>
      link.operator === operator && link.state === "BOUND" && link.paused === null && link.refusing === null,
  );
}

/** What is wrong now, by degree. Pure. */
export function byDegree(now: Pick<StaffLive, "alarms" | "troubles" | "connections">, degree: Degree) {
  return {
    alarms: now.alarms.filter((alarm) => alarmDegree(alarm, now.connections) === degree),
    troubles: now.troubles.filter((trouble) => troubleDegree(trouble, now.connections) === degree),
  };
}
