import type { MessageTo } from "../../messages/about-number.ts";
import { batchById } from "../../messages/batches.ts";
import type { Reader } from "../../store/read.ts";
import { type AdminOutcome, done, refuse } from "../refusal.ts";
import type { AboutNumber } from "./about-number.ts";

/** Things that are named one by one. */
const MOST_NAMED = 20;

/** Whether something of a message may still happen: it is not final, or nobody was answered for it yet. */
export function isOpen({ is_final, batch_status }: MessageTo): boolean {
  return is_final === 0 || batch_status === "STAGING" || batch_status === "VALIDATING";
}

/** Refuses, with the list, while anything of a number is not final. */
export function refuseIfOpen(read: Reader, about: AboutNumber, cancelled: number): AdminOutcome<null> {
  const messages = about.messages.filter(isOpen).map(({ ulid, status }) => `${ulid} ${status}`);
  const batches = [...new Set(about.submitted.map(({ batchId }) => batchId))].flatMap((id) => {
    const batch = batchById(read, id);
    return batch?.status === "VALIDATING" ? [`${batch.ulid} VALIDATING`] : [];
  });
  const open = [...messages, ...batches];
  if (open.length === 0) return done(null);
  const named = open.slice(0, MOST_NAMED).join(", ");
  const list = open.length > MOST_NAMED ? `${named} and ${open.length - MOST_NAMED} more` : named;
  return refuse(
    "NOT_FINAL",
    cancelled > 0
      ? `nothing was erased: ${cancelled} that waited are cancelled, and this is not final yet: ${list}; wait until it is`
      : `nothing was erased: this is not final yet: ${list}; --cancel cancels what is QUEUED or SCHEDULED, and the rest is to be waited for`,
  );
}
