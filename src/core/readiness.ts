/**
 * Whether requests may be sent here, and if not, why. Whoever knows a reason holds one; the door and the health pages
 * ask. While anything is held, `/health/ready` answers 503, and so does every submission that is new.
 */
import { type Phrase, phrase } from "../i18n/phrase.ts";
import type { Refusal } from "./failures.ts";

/** Why the appliance is not ready: it starts, it stops, its clock is not believed. */
export type Reason = Phrase;

/**
 * What a submission is answered. Under `SERVICE_UNAVAILABLE` nothing is even looked up; under the others one that was accepted
 * before is answered as it was then.
 */
export type NotReadyCode = "SERVICE_UNAVAILABLE" | "STORAGE_FULL" | "RESTORING";

export type Held = { readonly reason: Reason; readonly code: NotReadyCode };

export type Readiness = {
  /** What is held, oldest first; nothing when requests may be sent. */
  readonly reasons: () => readonly Reason[];
  /** The oldest reason that nobody passes, else the oldest; null when requests may be sent. */
  readonly closed: () => Held | null;
  /** Holds a reason until the function that it returns is called, once or more often. */
  readonly hold: (reason: Reason, code?: NotReadyCode) => () => void;
};

/** In words for whoever is refused. */
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
