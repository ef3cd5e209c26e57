import { isUrgent, type MessageClass } from "../../domain/accounts/classes.ts";
import type { Link } from "./link.ts";

/** What campaigns leave free in the windows of a line, so that what is urgent need not wait for an answer. */
export type KeptPlaces = {
  /** A message of this class was claimed, on the steady clock. */
  readonly seen: (messageClass: MessageClass, nowMs: number) => void;
  /** How many places of a link campaigns are not to fill at this moment. */
  readonly of: (link: Link, nowMs: number) => number;
};

/** One place of so many, which costs a campaign no more where the operator's answers are slow. */
const ONE_OF = 20;
/** For how long places are kept after an urgent message. */
const KEPT_MS = 60_000;

export function keptPlaces(): KeptPlaces {
  let untilMs = Number.NEGATIVE_INFINITY;
  return {
    seen: (messageClass, nowMs) => {
      if (isUrgent(messageClass)) untilMs = nowMs + KEPT_MS;
    },
    of: (link, nowMs) => {
      // A link with nothing under way asks for no more when time passes, and few places are open while it is in doubt.
      if (nowMs >= untilMs || link.connection.status().inFlight === 0) return 0;
      return Math.floor(link.config.window / ONE_OF);
    },
  };
}
