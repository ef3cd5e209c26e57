/** Reasons of rejection in the words of the catalogue. */
import en from "../../i18n/en/row.json" with { type: "json" };
import { type CaseOf, hasCode, type Phrase, phrase, said } from "../../i18n/phrase.ts";

/** The reasons that the catalogue words. */
export type WordedReason = CaseOf<"row.reason">;

function isWorded(reason: string): reason is WordedReason {
  return hasCode({ row: en }, `row.reason.${reason}`);
}

/** Why a recipient gets no message, on pages and in downloads. A reason that has no words is shown as it is. */
export function toReasonPhrase(reason: string): Phrase {
  return isWorded(reason) ? phrase(`row.reason.${reason}`) : said(reason);
}
