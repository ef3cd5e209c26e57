import type { Tx } from "../../db/write.ts";
import type { FactSession } from "../../domain/messages/apply-facts.ts";
import { afterStatus } from "./after-status.ts";
import { type Consequence, consequenceOf } from "./consequence.ts";
import {
  accepted,
  againAt,
  doubted,
  failed,
  type PostRef,
  sentBack,
  waitsForNumber,
} from "./facts-of-posts.ts";
import { numberIsNamed } from "./known-users.ts";
import { takeParked } from "./parked-statuses.ts";
import type { PostAnswer } from "./post-answer.ts";
import { dropPost, findPost, noteAnswer } from "./posts.ts";
import { stoppedAtMeta } from "./stopped-at-meta.ts";
import { type NumberTrouble, troubleOf } from "./trouble.ts";
import { troubleOfEnd } from "./trouble-of-end.ts";

export type AnswerRules = {
  readonly nowMs: number;
  /** How long statuses are waited for. */
  readonly silenceMs: number;
  readonly isFreeFree: boolean;
};

/** A post that came to its answer. */
export type AnsweredPost = PostRef & {
  /** To whom, E.164 with "+". */
  readonly msisdn: string;
  /** Until when the message is worth sending, epoch milliseconds. */
  readonly expiresAt: number;
};

/** What is to be done beside the facts, once they are durable. */
export type AfterPost = {
  /** The message is in the queue again. */
  readonly isQueued: boolean;
  /** And not due before; null: it is. */
  readonly notBeforeMs: number | null;
  readonly trouble: NumberTrouble | null;
  /** Meta calls its user by another number, in digits, and has said so for the first time; null otherwise. */
  readonly named: string | null;
};

const NOTHING: AfterPost = { isQueued: false, notBeforeMs: null, trouble: null, named: null };
const FAILED_BIT = 8;

/** Writes down what came of a post. */
export function afterPost(
  tx: Tx,
  session: FactSession,
  post: AnsweredPost,
  answer: PostAnswer,
  rules: AnswerRules,
): AfterPost {
  const { nowMs } = rules;
  switch (answer.kind) {
    case "accepted":
      return afterAcceptance(tx, session, post, answer, rules);
    case "not_read":
      dropPost(tx, post);
      session.apply({ kind: "not_written", messageId: post.messageId, firstWay: true });
      return { ...NOTHING, isQueued: true };
    case "unanswered":
      noteAnswer(tx, post, { state: "UNANSWERED" });
      doubted(session, post, post.expiresAt, nowMs);
      return NOTHING;
    case "refused": {
      const { code, httpStatus } = answer;
      const what = consequenceOf(code, { as: "answer", httpStatus });
      noteAnswer(tx, post, { state: what.kind === "doubt" ? "UNANSWERED" : "REFUSED", code });
      return afterRefusal(tx, session, post, what, code ?? httpStatus, nowMs);
    }
  }
}

/** Statuses may have come before the answer: they were parked, or have moved the message already. */
function afterAcceptance(
  tx: Tx,
  session: FactSession,
  post: Omit<AnsweredPost, "expiresAt">,
  { wamid, isHeld, waId: told }: Extract<PostAnswer, { kind: "accepted" }>,
  rules: AnswerRules,
): AfterPost {
  const { nowMs, silenceMs } = rules;
  const statuses = findPost(tx, post.messageId, post.n)?.told ?? 0;
  const closeAtMs = nowMs + silenceMs;
  const waId = told === null || `+${told}` === post.msisdn ? null : told;
  const named = waId !== null && numberIsNamed(tx, waId, post.msisdn, nowMs) ? waId : null;
  if ((statuses & FAILED_BIT) !== 0) {
    noteAnswer(tx, post, { state: "ACCEPTED", wamid, waId });
    return { ...NOTHING, named };
  }
  noteAnswer(tx, post, { state: isHeld ? "HELD" : "ACCEPTED", wamid, closeAtMs, waId });
  const { messageId } = post;
  const applied = isHeld
    ? session.apply({ kind: "unanswered", messageId, next: "wait", untilMs: closeAtMs, firstWay: true })
    : accepted(session, post, false);
  if (applied.isFinal) noteAnswer(tx, post, { state: "ACCEPTED", wamid });
  let trouble: NumberTrouble | null = null;
  for (const status of takeParked(tx, wamid)) {
    trouble =
      afterStatus(tx, session, post, status, { ...rules, silenceMs: () => silenceMs }).trouble ?? trouble;
  }
  return { ...NOTHING, trouble, named };
}

function afterRefusal(
  tx: Tx,
  session: FactSession,
  post: AnsweredPost,
  what: Consequence,
  code: number,
  nowMs: number,
): AfterPost {
  const operatorCode = String(code);
  const trouble = troubleOf(what, code);
  switch (what.kind) {
    case "again": {
      const notBeforeMs = againAt(post, what, nowMs);
      const { to } = sentBack(session, post, "SUBMITTED", notBeforeMs, operatorCode);
      return { ...NOTHING, isQueued: to === "QUEUED", notBeforeMs, trouble };
    }
    case "stop":
      waitsForNumber(session, post, "SUBMITTED");
      return { ...NOTHING, isQueued: true, trouble };
    case "final":
      if (what.error === "RECIPIENT_OPTED_OUT") stoppedAtMeta(tx, post, { saidAtMs: nowMs, nowMs });
      return {
        ...NOTHING,
        trouble: troubleOfEnd(
          tx,
          failed(session, post, "SUBMITTED", { code: what.error, operatorCode }),
          code,
          { atMs: nowMs, nowMs },
        ),
      };
    case "doubt":
      doubted(session, post, post.expiresAt, nowMs);
      return NOTHING;
  }
}
