/** What somebody decides about messages that were held back by a restore, done to each of them. */
import type { MessageClass } from "../../accounts/classes.ts";
import type { Config } from "../../config/config.ts";
import type { FactSession } from "../../messages/apply-facts.ts";
import type { HeldFlight } from "../../messages/held.ts";
import { keepNote } from "../../messages/notes.ts";
import { type AbandonedMessage, claimedMessage, doubtedMessage } from "../../messages/overdue.ts";
import type { SettleUnheld } from "../../outbound/line.ts";
import { isResent } from "../../outbound/unanswered.ts";
import type { Tx } from "../../store/write.ts";

/** What becomes of a message that may have left. */
export type HeldMode = "policy" | "send" | "give-up";

export type DecideDeps = {
  readonly settleUnheld: SettleUnheld;
  /** The highest number that a parked receipt had in the copy: it came before the message left, if that did. */
  readonly parkedBefore: number;
};

/**
 * A message that waited in the copy is taken for one that was written and that nobody answered: each of its segments is in doubt, so
 * that a receipt which came meanwhile, or comes later, finds it. Where none did, it goes on as decided: by the rule of its class, once
 * more if it is still worth sending, or not at all.
 */
export function decideHeld(
  { settleUnheld, parkedBefore }: DecideDeps,
  tx: Tx,
  session: FactSession,
  messageId: number,
  mode: HeldMode,
  nowMs: number,
): void {
  session.apply({ kind: "claimed", messageId, parkedBefore });
  const message = claimedMessage(tx, messageId);
  if (message === null) return;
  keepNote(tx, messageId, { what: "restored from a backup", detail: WORDS[mode] }, nowMs);
  // Waits, so that what follows is for this to say.
  settleUnheld(tx, session, { ...message, isTaken: mode !== "policy" }, nowMs);
  if (mode === "policy") return;
  // A receipt may have told by now what became of it.
  if (doubtedMessage(tx, messageId)?.isWaiting !== true) return;
  if (mode === "give-up") {
    session.apply({ kind: "refused", messageId, error: { code: "RESTORE_GIVEN_UP", operatorCode: null } });
  } else if (isWorthSending(message, nowMs)) {
    session.apply({ kind: "unanswered", messageId, next: "resend" });
  }
}

const WORDS: Readonly<Record<HeldMode, string>> = {
  policy: "it may have left before: it goes by the rule of its class",
  send: "it may have left before: it is sent once more",
  "give-up": "it may have left before: it was given up",
};

function isWorthSending({ expiresAt }: AbandonedMessage, nowMs: number): boolean {
  return nowMs < expiresAt;
}

/** A message that was with an operator in the copy goes by the rule of its class, whatever is decided of the others. */
export function decideFlight(
  policy: Config["delivery"]["unanswered"],
  session: FactSession,
  { messageId, messageClass, resends, expiresAt, status }: HeldFlight,
  nowMs: number,
): void {
  if (status !== "SUBMITTED") return;
  const message = { messageClass: messageClass satisfies MessageClass, resends, expiresAt };
  if (isResent(message, policy, nowMs)) session.apply({ kind: "unanswered", messageId, next: "resend" });
}
