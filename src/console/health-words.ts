import type { CheckView } from "../base/health.ts";
import { type Naming, namedFind } from "./named.ts";

/** How a check stands for whoever reads the console: what was never done is neither well nor bad, and nothing that leaves is an outage. */
export type ShownStanding = "ok" | "degraded" | "down" | "paused" | "not_yet";

/** That of a check in its own English words. */
export function standingOf({
  name,
  status,
  detail,
}: Pick<CheckView, "name" | "status" | "detail">): ShownStanding {
  if (status === "ok" && NOT_YET.test(detail)) return "not_yet";
  if (name === "operators" && status === "degraded" && NONE_BOUND.test(detail)) return "down";
  return status;
}

const NOT_YET = /^(none was made yet|not checked yet)/;
const NONE_BOUND = /^0 of [1-9]\d* connections /;

/** What a check found and what to do about it, in somebody's words and by the names of things. */
export function checkInWords(
  check: CheckView,
  inTheirWords: (english: string) => string,
  naming: Naming,
): CheckView {
  return {
    ...check,
    detail: partsInWords(namedFind(naming, check.name, check.detail), inTheirWords),
    action: check.action && inTheirWords(check.action),
  };
}

/** A find is several sentences beside each other, or one that has a semicolon in it. */
function partsInWords(found: string, inTheirWords: (english: string) => string): string {
  const parts = found.split("; ").map((part) => ({ part, said: inTheirWords(part) }));
  const isEach = parts.every(({ part, said }) => said !== part);
  return isEach ? parts.map(({ said }) => said).join("\u00a0; ") : inTheirWords(found);
}
