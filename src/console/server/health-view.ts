/** How the checks of `GET /health` stand for whoever reads the console. Pure. */
import type { CheckView } from "../../core/health.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { paramsIn } from "../../i18n/phrase.ts";
import { type NameResolver, resolvePhraseNames } from "./named.ts";

/** What was never done is neither well nor bad, and nothing that leaves is an outage. */
export type ShownCheckStatus = "ok" | "degraded" | "down" | "paused" | "not_yet";

/** The standing of a check, by what it found. */
export function deriveStanding({
  name,
  status,
  detail,
}: Pick<CheckView, "name" | "status" | "detail">): ShownCheckStatus {
  switch (detail.code) {
    case "health.backup.not_yet":
    case "health.backup.not_yet_tried":
    case "health.books.not_yet":
      return status === "ok" ? "not_yet" : status;
    case "health.operators.with": {
      const counts = paramsIn(detail, "health.operators.with")?.counts;
      return name === "operators" && counts && isNoneBound(counts) ? "down" : status;
    }
    default:
      return status;
  }
}

function isNoneBound(counts: CheckView["detail"]): boolean {
  const operators = paramsIn(counts, "health.operators");
  return operators !== null && operators.bound === 0 && operators.connections !== 0;
}

/** A check with the names of what it tells of. What people type goes by codes, and so does what to do. */
export function toNamedCheck(
  check: CheckView,
  naming: NameResolver,
  translate: (phrase: Phrase) => string,
): CheckView {
  return { ...check, detail: resolvePhraseNames({ ...naming, worded: translate }, check.detail) };
}
