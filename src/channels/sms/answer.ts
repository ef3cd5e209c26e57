import type { ResponseAction } from "../../config/config.ts";
import type { SubmitEnd } from "../../dispatch/attempt.ts";
import type { MessageError } from "../../domain/messages/message-error.ts";
import { STATUS, statusCode, statusMeaning } from "../../smpp/status.ts";

/**
 * Try again later. The link slows down once so many messages in a row were told to. `keepsPlace`: this one was not the
 * reason, and may go first.
 */
type RetryMeaning = { readonly kind: "retry"; readonly slowsAfter: number; readonly keepsPlace: boolean };

/** What an answer to a `submit_sm` means for its message and its link. */
export type ResponseMeaning =
  | { readonly kind: "accepted" }
  | RetryMeaning
  | { readonly kind: "refused"; readonly error: MessageError };

/**
 * Reads a command_status: the operator's own table first, then docs/behaviour.md#answers-of-the-operator. `lastCode` is
 * the operator's temporary answer to the attempt before this one, or null. Pure.
 *
 * "Throttled" is about the link. "Queue full" may be about the whole centre or about one recipient, who must not slow
 * down everybody: said of several messages in a row, it is the centre. So is any other temporary error, later. What
 * the operator's table calls a pause is believed at once, but not of the same message again.
 */
export function classifyResponse(
  status: number,
  lastCode: string | null,
  table: ReadonlyMap<number, ResponseAction>,
): ResponseMeaning {
  if (status === STATUS.ROK) return { kind: "accepted" };
  const isRepeated = lastCode === statusCode(status);
  switch (table.get(status)) {
    case "retry":
      return later(UNWELL);
    case "pause":
      return isRepeated ? later(FULL) : AT_ONCE;
    case "fail":
      return refusal(status);
    case undefined:
      break;
  }
  const { class: kind } = statusMeaning(status);
  const temporary = kind === "retry" || (kind === "retry_once" && !isRepeated);
  if (!temporary) return refusal(status);
  if (status === STATUS.RTHROTTLED) return { ...AT_ONCE, keepsPlace: !isRepeated };
  return later(status === STATUS.RMSGQFUL ? FULL : UNWELL);
}

/** Messages in a row, with none accepted or refused in between, after which the centre is full, or unwell. */
const FULL = 3;
const UNWELL = 10;
/** No rule looks at more of them. */
export const MAX_OF_INTEREST = UNWELL;
const AT_ONCE: RetryMeaning = { kind: "retry", slowsAfter: 1, keepsPlace: true };

function later(slowsAfter: number): RetryMeaning {
  return { kind: "retry", slowsAfter, keepsPlace: false };
}

/** What a submit came to by its answer. Pure. */
export function endOf(
  means: ResponseMeaning,
  status: number,
): Extract<SubmitEnd, { kind: "accepted" | "retry" | "refused" }> {
  if (means.kind !== "retry") return means;
  return { kind: "retry", keepsPlace: means.keepsPlace, operatorCode: statusCode(status) };
}

const INVALID_SOURCE = 0x0a;
const INVALID_DESTINATION = 0x0b;

function refusal(status: number): ResponseMeaning {
  return { kind: "refused", error: toRefusalError(status) };
}

/** What a command_status that refuses for good says to clients. */
export function toRefusalError(status: number): MessageError {
  const code =
    status === INVALID_SOURCE
      ? "SENDER_NOT_REGISTERED"
      : status === INVALID_DESTINATION
        ? "INVALID_DESTINATION"
        : "OPERATOR_REJECTED";
  return { code, operatorCode: statusCode(status) };
}
