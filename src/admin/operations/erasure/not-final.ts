import type { Reader } from "../../../db/read.ts";
import type { MessageTo } from "../../../domain/messages/about-number.ts";
import { batchById } from "../../../domain/messages/batches.ts";
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
  const more = open.length - MOST_NAMED;
  if (cancelled > 0) {
    return more > 0
      ? refuse("NOT_FINAL.cancelled_many", { cancelled, open: named, more })
      : refuse("NOT_FINAL.cancelled", { cancelled, open: named });
  }
  return more > 0 ? refuse("NOT_FINAL.many", { open: named, more }) : refuse("NOT_FINAL", { open: named });
}
