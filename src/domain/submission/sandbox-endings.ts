/** Which recipients a sandbox rejects at once, by the last two digits of their numbers (docs/behaviour.md#endings). */
import { isSandbox } from "../../core/sandbox.ts";
import type { NewBatch } from "../messages/insert.ts";
import type { RejectionReason } from "./rejection-reasons.ts";

const MARKETING_ONLY: Readonly<Record<string, RejectionReason>> = {
  "93": "SUPPRESSED",
  "94": "QUIET_HOURS",
  "95": "FREQUENCY_CAP_DAILY",
  "96": "FREQUENCY_CAP_WEEKLY",
};

const ANY_CLASS: Readonly<Record<string, RejectionReason>> = {
  "97": "DUPLICATE_RECENT_BODY",
  "98": "RATE_LIMIT_PER_DAY",
  "99": "RATE_LIMIT_PER_MINUTE",
};

/** Why the number of a recipient asks to be rejected; null where it does not, and always of what is live. Pure. */
export function deriveSandboxRejection(
  { accountId, messageClass }: Pick<NewBatch, "accountId" | "messageClass">,
  msisdn: string,
): RejectionReason | null {
  if (!isSandbox(accountId)) return null;
  const ending = msisdn.slice(-2);
  const ofMarketing = messageClass === "MARKETING" ? MARKETING_ONLY[ending] : undefined;
  return ofMarketing ?? ANY_CLASS[ending] ?? null;
}
