/**
 * The health of the appliance: a list of checks that every room may add to, run when somebody asks. A run costs little and is
 * kept for a second, so that asking often costs nothing (docs/administration.md#4-health).
 */
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { type Clock, isoUtc } from "./clock.ts";
import { errorText } from "./log.ts";
import type { Refusal } from "./refusals.ts";

/** "degraded": somebody should look. "down": submissions cannot be taken. */
type HealthStatus = "ok" | "degraded" | "down";

/** The result of one check. Never a secret, a number or a text of a message. */
export type Finding = {
  readonly status: HealthStatus;
  readonly detail: Phrase;
  /** What to do about it; null where nothing is to be done. */
  readonly action: Phrase | null;
  /** Since when it is so, where the check itself knows that. */
  readonly sinceMs?: number | null;
};

/** One check. `run` takes a few milliseconds at most, whatever the database holds. */
export type HealthCheck = { readonly name: string; readonly run: () => Finding };

/** The state of a check, with its words: a message, or a text that was made of it. */
export type CheckView<Said = Phrase> = {
  readonly name: string;
  readonly status: HealthStatus;
  /** Since when it has this status. */
  readonly since: string;
  readonly detail: Said;
  readonly action: Said | null;
};

export type HealthReport<Said = Phrase> = {
  readonly status: HealthStatus;
  readonly checks: readonly CheckView<Said>[];
};

export type Health = { readonly report: () => HealthReport };

/** How long a result is kept. */
const KEPT_MS = 1000;

/** Nothing is wrong. */
export function well(detail: Phrase): Finding {
  return { status: "ok", detail, action: null };
}

/**
 * All checks together. The whole is as bad as the worst of them, but "down" exactly while something holds the readiness: an
 * unreachable operator stops nobody from submitting.
 */
export function createHealth(
  clock: Clock,
  readiness: Pick<Readiness, "reasons">,
  checks: readonly HealthCheck[],
): Health {
  const startedMs = clock.nowMs();
  const standing = new Map<string, { readonly status: HealthStatus; readonly sinceMs: number }>();
  let kept: {
    readonly report: HealthReport;
    readonly untilMs: number;
    readonly reasons: readonly Phrase[];
  } | null = null;

  const viewOf = ({ name, run: look }: HealthCheck): CheckView => {
    const found = runCheck(look);
    const before = standing.get(name);
    const changedMs = before ? clock.nowMs() : startedMs;
    const sinceMs = found.sinceMs ?? (before?.status === found.status ? before.sinceMs : changedMs);
    standing.set(name, { status: found.status, sinceMs });
    const { status, detail, action } = found;
    return { name, status, since: isoUtc(sinceMs), detail, action };
  };

  const ready: HealthCheck = {
    name: "ready",
    run: () => {
      const reasons = readiness.reasons();
      if (reasons.length === 0) return well(phrase("health.ready"));
      return {
        status: "down",
        detail: phrase("health.not_ready", { reasons }),
        action: phrase("health.not_ready.action"),
      };
    },
  };

  return {
    report: () => {
      const reasons = readiness.reasons();
      if (kept && isSame(kept.reasons, reasons) && clock.steadyMs() < kept.untilMs) return kept.report;
      const looked = checks.map(viewOf);
      // A check may hold or release a reason itself.
      const all = [viewOf(ready), ...looked];
      const isDown = readiness.reasons().length > 0;
      const isWell = all.every(({ status }) => status === "ok");
      const report = { status: isDown ? "down" : isWell ? "ok" : "degraded", checks: all } as const;
      kept = { report, untilMs: clock.steadyMs() + KEPT_MS, reasons: readiness.reasons() };
      return report;
    },
  };
}

/** Whoever holds a reason holds the same one until it is released. */
function isSame(some: readonly Phrase[], others: readonly Phrase[]): boolean {
  return some.length === others.length && some.every((one, place) => one === others[place]);
}

function runCheck(look: HealthCheck["run"]): Finding {
  try {
    return look();
  } catch (error) {
    return {
      status: "degraded",
      detail: phrase("health.unseen", { error: errorText(error) }),
      action: phrase("health.unseen.action"),
    };
  }
}

// Readiness: whether requests may be sent here, and if not, why. Whoever knows a reason holds one; the router and the health pages ask.
// While anything is held, `/health/ready` answers 503, and so does every submission that is new.

/** Why the appliance is not ready: it starts, it stops, its clock is untrusted. */
type Reason = Phrase;

/**
 * The code a submission is refused with. Under `SERVICE_UNAVAILABLE` nothing is even looked up; under the others one that was
 * accepted before is answered as it was then.
 */
type NotReadyCode = "SERVICE_UNAVAILABLE" | "STORAGE_FULL" | "RESTORING";

type Held = { readonly reason: Reason; readonly code: NotReadyCode };

export type Readiness = {
  /** The reasons held, oldest first; none when requests may be sent. */
  readonly reasons: () => readonly Reason[];
  /** The oldest reason that refuses every request, else the oldest; null when requests may be sent. */
  readonly closed: () => Held | null;
  /** Holds a reason until the function that it returns is called, once or more often. */
  readonly hold: (reason: Reason, code?: NotReadyCode) => () => void;
};

/** The refusal in words. */
export function notReadyRefusal({ code, reason }: Held): Refusal<NotReadyCode> {
  return { code, detail: phrase("readiness.closed", { why: reason }) };
}

/** Ready, until somebody holds a reason. */
export function readiness(): Readiness {
  const held = new Set<Held>();
  return {
    reasons: () => [...held].map(({ reason }) => reason),
    closed: () => {
      if (held.size === 0) return null;
      const all = [...held];
      return all.find(({ code }) => code === "SERVICE_UNAVAILABLE") ?? all[0] ?? null;
    },
    hold: (reason, code = "SERVICE_UNAVAILABLE") => {
      const hold = { reason, code };
      held.add(hold);
      return () => {
        held.delete(hold);
      };
    },
  };
}
