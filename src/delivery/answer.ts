import type { ResponseAction } from "../config/config.ts";
import type { MessageError } from "../messages/message-error.ts";
import { asksToSlowDown, STATUS, statusCode, statusMeaning } from "../smpp/status.ts";

/** What an answer to a `submit_sm` means for its message and its link. */
export type AnswerMeaning =
  | { readonly kind: "accepted" }
  /** Try again. `slowLink`: the link must slow down. `keepsPlace`: this message was not the reason, and may go first. */
  | { readonly kind: "retry"; readonly slowLink: boolean; readonly keepsPlace: boolean }
  | { readonly kind: "refused"; readonly error: MessageError };

/**
 * Reads a command_status: the operator's own table first, then decisions.md section 6. `lastCode` is the operator's
 * temporary answer to the attempt before this one, or null. Pure.
 *
 * "Queue full" may speak of the whole centre or of one recipient: said of one message a second time, it is about the
 * message, which then waits alone, or one recipient would stop everybody. "Throttled" is always about the link.
 */
export function meaningOf(
  status: number,
  lastCode: string | null,
  table: ReadonlyMap<number, ResponseAction>,
): AnswerMeaning {
  if (status === STATUS.ROK) return { kind: "accepted" };
  const isRepeated = lastCode === statusCode(status);
  const later = (asksToSlow: boolean): AnswerMeaning => ({
    kind: "retry",
    slowLink: asksToSlow && (!isRepeated || status === STATUS.RTHROTTLED),
    keepsPlace: asksToSlow && !isRepeated,
  });
  switch (table.get(status)) {
    case "retry":
      return later(false);
    case "pause":
      return later(true);
    case "fail":
      return refusal(status);
    case undefined:
      break;
  }
  const { class: kind } = statusMeaning(status);
  const temporary = kind === "retry" || (kind === "retry_once" && !isRepeated);
  return temporary ? later(asksToSlowDown(status)) : refusal(status);
}

const INVALID_SOURCE = 0x0a;
const INVALID_DESTINATION = 0x0b;

function refusal(status: number): AnswerMeaning {
  const code =
    status === INVALID_SOURCE
      ? "SENDER_NOT_REGISTERED"
      : status === INVALID_DESTINATION
        ? "INVALID_DESTINATION"
        : "OPERATOR_REJECTED";
  return { kind: "refused", error: { code, operatorCode: statusCode(status) } };
}

const FIRST_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 30_000;

/** How long a message waits after its `attempts`-th temporary answer: 1 s doubling to 30 s. */
export function backoffMs(attempts: number): number {
  return Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(16, Math.max(0, attempts - 1)));
}
