/**
 * The facts by which a post moves its message. A message has one part here; each of its posts is known by its own key. All of them are told
 * of a first way: a message that goes on as an SMS is not moved by its posts any more.
 */

import { backoffMs, MAX_BACKOFF_MS } from "../../dispatch/attempt.ts";
import type { Applied, FactSession } from "../../domain/messages/apply-facts.ts";
import type { MessageError } from "../../domain/messages/message-error.ts";
import type { Status } from "../../domain/messages/message-status.ts";
import { encodeOpaque } from "./cloud-api.ts";
import { type MetaErrorClass, PAIR_MS } from "./meta-errors.ts";

/** A post, and what of its message decides. */
export type PostRef = {
  readonly messageId: number;
  readonly messageUlid: string;
  readonly n: number;
  readonly operator: string;
};

/** A message is posted so often at most. */
const MAX_POSTS = 5;
/** A post in doubt is waited for so long at least. */
const MIN_DOUBT_MS = 600_000;

type AgainConsequence = Extract<MetaErrorClass, { kind: "again" }>;

/** Nobody can tell whether Meta has it: it is never posted again, and waits for a status until its validity is over. */
export function noteOutcomeUnknown(
  session: FactSession,
  { messageId }: Pick<PostRef, "messageId">,
  expiresAt: number,
  nowMs: number,
): Applied {
  const untilMs = Math.max(expiresAt, nowMs + MIN_DOUBT_MS);
  return session.apply({ kind: "unanswered", messageId, next: "wait", untilMs, firstWay: true });
}

/** Meta has it. `byStatus`: that is known by a status. */
export function accepted(session: FactSession, post: PostRef, byStatus: boolean): Applied {
  const key = keyOf(post);
  return session.apply({
    kind: "part_accepted",
    messageId: post.messageId,
    part: 1,
    operator: post.operator,
    remoteId: key,
    remoteKey: key,
    final: false,
    firstWay: true,
    ...(byStatus ? { byReceipt: true } : {}),
  });
}

/** The user has it. `isFree`: Meta bills nobody, and neither do we. */
export function delivered(session: FactSession, post: PostRef, isFree: boolean): Applied {
  const verdict = { kind: "delivered", ...(isFree ? { isFree: true as const } : {}) } as const;
  return receipt(session, post, verdict);
}

/** It has failed for good, wherever its message stands. */
export function failed(session: FactSession, post: PostRef, status: Status, error: MessageError): Applied {
  return status === "SENT"
    ? receipt(session, post, { kind: "failed", error })
    : session.apply({ kind: "refused", messageId: post.messageId, error, firstWay: true });
}

/** When a message may be posted again of which a post did not go out. */
export function toRetryTime(
  { n }: Pick<PostRef, "n">,
  { slows }: Pick<AgainConsequence, "slows">,
  nowMs: number,
): number {
  return nowMs + Math.min(slows === "user" ? PAIR_MS : backoffMs(n), MAX_BACKOFF_MS);
}

/** It did not go out, and its message waits for another turn, if it has one left. */
export function requeuePost(
  session: FactSession,
  post: PostRef,
  status: Status,
  notBeforeMs: number,
  code: string | null,
): Applied {
  if (post.n >= MAX_POSTS) {
    return failed(session, post, status, { code: "OPERATOR_THROTTLED", operatorCode: code });
  }
  return waitsAgain(session, post, status, notBeforeMs, code);
}

/**
 * Its message waits, and has its place as if it had not been posted: it was the number that Meta refused. Meta asked for nothing to be
 * tried later, so that what it waits in vain has expired in the queue, and is not throttled.
 */
export function requeueForNumber(session: FactSession, post: PostRef, status: Status): Applied {
  return waitsAgain(session, post, status, 0, null);
}

function waitsAgain(
  session: FactSession,
  post: PostRef,
  status: Status,
  notBeforeMs: number,
  operatorCode: string | null,
): Applied {
  const { messageId } = post;
  return status === "SENT"
    ? receipt(session, post, { kind: "again", notBeforeMs, operatorCode })
    : session.apply({ kind: "postponed", messageId, notBeforeMs, operatorCode, firstWay: true });
}

type Verdict = Extract<Parameters<FactSession["apply"]>[0], { kind: "receipt" }>["verdict"];

function receipt(session: FactSession, post: PostRef, verdict: Verdict): Applied {
  return session.apply({
    kind: "receipt",
    messageId: post.messageId,
    part: 1,
    remoteKey: keyOf(post),
    firstWay: true,
    verdict,
  });
}

/** Nothing of Meta's id, which holds the user's number, stands with the message. */
function keyOf({ messageUlid, n }: PostRef): string {
  return encodeOpaque(messageUlid, n);
}
