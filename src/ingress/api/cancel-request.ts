import { describe } from "../../core/description.ts";
import { accepted, type Outcome, refuse } from "../../core/failures.ts";
import { faultList, refuseFaults } from "../../core/field-faults.ts";
import { hasShape, isRecord, optional, refuseOthers, defineShape, text } from "../../core/shape.ts";
import { phrase } from "../../i18n/phrase.ts";

/** The longest reason that a client gives (docs/behaviour.md#cancelling). */
const MAX_REASON_LENGTH = 255;

/** What a client may say when it cancels a batch. */
export const CANCEL = defineShape(
  {
    reason: optional(text(MAX_REASON_LENGTH), {
      description: describe("reference.BatchCancellation.reason"),
      examples: ["wrong list"],
    }),
  },
  { additionalProperties: false },
);

/** Reads the body of a cancellation, if there is one: the reason, or null for none. */
export function readCancelReason(json: unknown): Outcome<string | null, "VALIDATION_FAILED"> {
  if (json === undefined) return accepted(null);
  if (!isRecord(json)) return refuse("VALIDATION_FAILED.not_object");
  const faults = faultList();
  refuseOthers(CANCEL, json, faults, () => phrase("fault.unknown.cancellation"));
  if (!hasShape(CANCEL, json, faults) || faults.found.length > 0) return refuseFaults(faults.found);
  const reason = json.reason?.trim() ?? "";
  return accepted(reason === "" ? null : reason);
}
