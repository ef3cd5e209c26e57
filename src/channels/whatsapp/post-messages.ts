/**
 * Sends the queued messages of a WhatsApp number: claims each, posts it to Meta's Cloud API, and writes down the
 * answer, or that the outcome is unknown, also after a crash.
 */
import { toWhatsAppNumber, toWhatsAppOperator } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log, RateLimitedLog } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import type { Candidate } from "../../dispatch/batch-scheduler.ts";
import { type Claimed, claimer } from "../../dispatch/claim.ts";
import type { RecoverClaim } from "../../dispatch/leases.ts";
import type { OperatorQueue } from "../../dispatch/operator-queue.ts";
import { enterUntilDurable, type Recorder } from "../../dispatch/recorder.ts";
import type { TaskTracker, WorkerTools } from "../../dispatch/worker.ts";
import { type FactSession, openFacts } from "../../domain/messages/apply-facts.ts";
import { readFirstLegEnd, restartFirstLegTimer } from "../../domain/messages/fallback-legs.ts";
import { readUlid } from "../../domain/messages/id-ranges.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import { applyStatus, noteMetaOptOut, noteTemplateTrouble, readStatusTimeout } from "./apply-status.ts";
import {
  type CloudClient,
  encodeOpaque,
  type NumberConfig,
  type PostAnswer,
  type PostContent,
  renderPostBody,
} from "./cloud-api.ts";
import type { PostComposer } from "./compose-post.ts";
import {
  classifyMetaError,
  type MetaErrorClass,
  type NumberTrouble,
  toNumberTrouble,
} from "./meta-errors.ts";
import type { DailyUserCounts, NumberPace, UserSpacing } from "./pacing.ts";
import {
  accepted,
  failed,
  noteOutcomeUnknown,
  type PostRef,
  requeueForNumber,
  requeuePost,
  toRetryTime,
} from "./post-facts.ts";
import {
  closePost,
  dropExpiredStatuses,
  dropPost,
  findPost,
  isPosting,
  isPostOverdue,
  isStatusOld,
  noteAnswer,
  notePost,
  readLatestPostNumber,
  readOverduePosts,
  takeUnmatchedStatuses,
  UNMATCHED_STATUS_MS,
} from "./posts.ts";
import { numberIsNamed, type ServiceWindows } from "./users.ts";

type PostingDeps = WhatsAppWorkerDeps & {
  readonly queue: OperatorQueue;
  readonly pace: NumberPace;
  readonly users: UserSpacing;
  readonly work: TaskTracker;
  readonly faults: RateLimitedLog;
  readonly isStopping: () => boolean;
  /** There is room for more. */
  readonly ask: () => void;
  /** Aborts posts that are in flight: their outcome is unknown then. */
  readonly stop: AbortSignal;
};

/** Posts by the operator code of their number and by their answer. */
export const WHATSAPP_POSTS = "bendre_whatsapp_posts_total";

export const POST_RESULTS = ["accepted", "refused", "not_read", "unanswered"] as const;

/** Begins with a message that was taken off the queue, at a time of the steady clock. */
export type BeginPost = (candidate: Candidate, nowMs: number) => void;

/** Claims messages, posts them, and writes down the answer of each before its room is free. */
export function posting(deps: PostingDeps): BeginPost {
  const { code, number, clock, store, queue, recorder, leases, pace, users, work, isStopping, ask } = deps;
  // By message that is claimed and not answered, the number of its post.
  const posts = new Map<number, number>();
  const claim = claimer({ queue, recorder, leases, clock, isStopping, unmatchedBefore: () => 0 });
  const enter = enterUntilDurable(recorder, clock, isStopping);
  const ended = (messageId: number): void => {
    posts.delete(messageId);
    pace.ended();
    work.ended();
    ask();
  };
  const write = writing(deps, enter, ended);
  const post = async (candidate: Candidate, what: PostContent): Promise<void> => {
    const { batch, message } = candidate;
    const n = posts.get(message.id) ?? 1;
    const messageUlid = readUlid(store.read, message.id) ?? "";
    const sentAtMs = clock.steadyMs();
    // The claim took a moment.
    users.note(message.msisdn, sentAtMs);
    const body = renderPostBody(message.msisdn, what, encodeOpaque(messageUlid, n));
    const answer = await deps.client.post(number(), body, deps.stop);
    const ref = { messageId: message.id, messageUlid, n, operator: toWhatsAppOperator(code) };
    write(candidate, { ...ref, msisdn: message.msisdn, expiresAt: batch.expiresAt }, answer, sentAtMs);
  };
  const giveUp = (messageId: number): void => {
    const error = { code: "TEMPLATE_UNAVAILABLE", operatorCode: null } as const;
    enter(
      (_, session) => session.apply({ kind: "given_up", messageId, error }),
      () => {
        queue.settled(messageId);
        ended(messageId);
      },
    );
  };
  return (candidate, nowMs) => {
    const { batch, message } = candidate;
    pace.take(nowMs);
    work.begun();
    const what = deps.wording.postOf(store.read, batch, message);
    if (what === "waits") {
      // The page of the queue was read earlier; the gate says until when.
      queue.settled(message.id);
      queue.requeued(batch, clock.nowMs());
      ended(message.id);
      return;
    }
    if (what === null) {
      giveUp(message.id);
      return;
    }
    users.note(message.msisdn, nowMs);
    deps.day.note(code, message.msisdn, clock.nowMs());
    const onSettled = (claimed: Claimed): void => {
      if (claimed === null) ended(message.id);
      else work.own(post(candidate, what));
    };
    claim(candidate, onSettled, (tx) => {
      const atMs = clock.nowMs();
      posts.set(message.id, notePost(tx, message.id, code, atMs));
      restartFirstLegTimer(tx, message.id, atMs);
    });
  };
}

/** Writes down the answer to a post, and applies what it says beyond its message. */
function writing(deps: PostingDeps, enter: Recorder["enter"], ended: (messageId: number) => void) {
  const { code, clock, queue, leases, pace, users, settings, isStopping } = deps;
  const counted = deps.store.tally.counters(WHATSAPP_POSTS);
  return (candidate: Candidate, to: AnsweredPost, answer: PostAnswer, sentAtMs: number): void => {
    const { batch, message } = candidate;
    pace.answered(answer, clock.steadyMs());
    // Meta counts from when it had the post, which took long where a connection had to be made first.
    if (answer.kind !== "not_read") users.note(message.msisdn, clock.steadyMs());
    counted.of(toWhatsAppOperator(code), answer.kind).value += 1;
    if (answer.kind === "not_read" || answer.kind === "unanswered") {
      deps.faults.note("warn", answer.kind, "the Cloud API did not answer", { error: english(answer.error) });
    }
    enter(
      (tx, session): AfterPost => {
        const silenceMs = readStatusTimeout(deps, batch.batchId);
        const isFreeFree = settings.now().whatsapp.free_is_free;
        return afterPost(tx, session, to, answer, { silenceMs, isFreeFree, nowMs: clock.nowMs() });
      },
      (outcome) => {
        leases.release(message.id);
        if (outcome.status === "fulfilled") {
          const { isQueued, trouble, named } = outcome.value;
          if (named !== null) deps.onNamed(to.operator, `+${named}`, to.msisdn);
          if (trouble !== null) deps.onTrouble(code, trouble, sentAtMs);
          if (isQueued && !isStopping()) queue.requeued(batch, dueOf(outcome.value, clock.nowMs()));
        }
        ended(message.id);
      },
    );
  };
}

/** When a message that waits is looked at: one that is due goes ahead of its class, so not before it may leave. */
function dueOf({ notBeforeMs }: AfterPost, nowMs: number): number {
  return notBeforeMs === null ? nowMs : Math.max(notBeforeMs, nowMs + 1);
}

type AnswerRules = {
  readonly nowMs: number;
  /** How long statuses are waited for. */
  readonly silenceMs: number;
  readonly isFreeFree: boolean;
};

/** A post and its message's fields, once it was answered. */
type AnsweredPost = PostRef & {
  /** To whom, E.164 with "+". */
  readonly msisdn: string;
  /** Until when the message is worth sending, epoch milliseconds. */
  readonly expiresAt: number;
};

/** What is to be done beside the facts, once they are durable. */
type AfterPost = {
  /** The message is in the queue again. */
  readonly isQueued: boolean;
  /** It is not due before this; null: it is due. */
  readonly notBeforeMs: number | null;
  readonly trouble: NumberTrouble | null;
  /** Meta calls its user by another number, in digits, and has said so for the first time; null otherwise. */
  readonly named: string | null;
};

const NOTHING: AfterPost = { isQueued: false, notBeforeMs: null, trouble: null, named: null };
const FAILED_BIT = 8;

/** Writes down the result of a post. */
function afterPost(
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
      session.apply({ kind: "not_written", messageId: post.messageId, isFirstLeg: true });
      return { ...NOTHING, isQueued: true };
    case "unanswered":
      noteAnswer(tx, post, { state: "UNANSWERED" });
      noteOutcomeUnknown(session, post, post.expiresAt, nowMs);
      return NOTHING;
    case "refused": {
      const { code, httpStatus } = answer;
      const what = classifyMetaError(code, { as: "answer", httpStatus });
      noteAnswer(tx, post, { state: what.kind === "unknown" ? "UNANSWERED" : "REFUSED", code });
      return afterRefusal(tx, session, post, what, code ?? httpStatus, nowMs);
    }
  }
}

/** Applies statuses that came before the answer: they were unmatched, or have moved the message already. */
function afterAcceptance(
  tx: Tx,
  session: FactSession,
  post: Omit<AnsweredPost, "expiresAt">,
  { wamid, isHeld, waId: given }: Extract<PostAnswer, { kind: "accepted" }>,
  rules: AnswerRules,
): AfterPost {
  const { nowMs, silenceMs } = rules;
  const statuses = findPost(tx, post.messageId, post.n)?.statusBits ?? 0;
  const closeAtMs = nowMs + silenceMs;
  const waId = given === null || `+${given}` === post.msisdn ? null : given;
  const named = waId !== null && numberIsNamed(tx, waId, post.msisdn, nowMs) ? waId : null;
  if ((statuses & FAILED_BIT) !== 0) {
    noteAnswer(tx, post, { state: "ACCEPTED", wamid, waId });
    return { ...NOTHING, named };
  }
  noteAnswer(tx, post, { state: isHeld ? "HELD" : "ACCEPTED", wamid, closeAtMs, waId });
  const { messageId } = post;
  const applied = isHeld
    ? session.apply({ kind: "unanswered", messageId, next: "wait", untilMs: closeAtMs, isFirstLeg: true })
    : accepted(session, post, false);
  if (applied.isFinal) noteAnswer(tx, post, { state: "ACCEPTED", wamid });
  let trouble: NumberTrouble | null = null;
  for (const status of takeUnmatchedStatuses(tx, wamid)) {
    trouble =
      applyStatus(tx, session, post, status, { ...rules, silenceMs: () => silenceMs }).trouble ?? trouble;
  }
  return { ...NOTHING, trouble, named };
}

function afterRefusal(
  tx: Tx,
  session: FactSession,
  post: AnsweredPost,
  what: MetaErrorClass,
  code: number,
  nowMs: number,
): AfterPost {
  const operatorCode = String(code);
  const trouble = toNumberTrouble(what, code);
  switch (what.kind) {
    case "again": {
      const notBeforeMs = toRetryTime(post, what, nowMs);
      const { to } = requeuePost(session, post, "SUBMITTED", notBeforeMs, operatorCode);
      return { ...NOTHING, isQueued: to === "QUEUED", notBeforeMs, trouble };
    }
    case "stop":
      requeueForNumber(session, post, "SUBMITTED");
      return { ...NOTHING, isQueued: true, trouble };
    case "final":
      if (what.error === "RECIPIENT_OPTED_OUT") noteMetaOptOut(tx, post, { saidAtMs: nowMs, nowMs });
      return {
        ...NOTHING,
        trouble: noteTemplateTrouble(
          tx,
          failed(session, post, "SUBMITTED", { code: what.error, operatorCode }),
          code,
          { atMs: nowMs, nowMs },
        ),
      };
    case "unknown":
      noteOutcomeUnknown(session, post, post.expiresAt, nowMs);
      return NOTHING;
  }
}

/** Why nothing may leave by a number, and since when: somebody paused it, for a reason in their words, or Meta stopped it. */
export type SendBlock = { readonly atMs: number } & (
  | { readonly kind: "paused"; readonly reason: string }
  | { readonly kind: "stopped"; readonly why: Phrase }
);

export type WhatsAppWorkerDeps = WorkerTools & {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly client: CloudClient;
  readonly wording: PostComposer;
  readonly day: DailyUserCounts;
  /** The number's code. */
  readonly code: string;
  /** As it stands at this moment. */
  readonly number: () => NumberConfig;
  /** Null where messages may leave. */
  readonly obstacle: () => SendBlock | null;
  readonly onTrouble: (code: string, trouble: NumberTrouble, sentAtMs: number) => void;
  /** Meta calls a user by another number than the one that is written to, and has not said so before. */
  readonly onNamed: ServiceWindows["named"];
};

/** Numbers of one portfolio share how many users they may write to; a number without one is counted by its own code. */
export function portfolioOf({
  portfolio,
  phone_number_id: id,
}: Pick<NumberConfig, "portfolio" | "phone_number_id">): string {
  return portfolio === "" ? `number ${id}` : portfolio;
}

// Recovers posts whose messages have no lease: after a crash, and after a long silence.

const STEP = 250;

/**
 * Recovers a claimed message of this channel that has no lease: Meta may have it, so it is never posted again. Others go to `rest`. A
 * post that the appliance before a restore may have made, unknown to the copy, is noted as one without an answer: other posts get
 * other numbers, and the time of the leg begins with it.
 */
export function recoverPosts(rest: RecoverClaim): RecoverClaim {
  return (tx, session, message, nowMs) => {
    const number = toWhatsAppNumber(message.operator);
    if (number === null) {
      rest(tx, session, message, nowMs);
      return;
    }
    const { messageId } = message;
    if (!isPosting(tx, messageId)) {
      notePost(tx, messageId, number, nowMs);
      restartFirstLegTimer(tx, messageId, nowMs);
    }
    noteAnswer(tx, { messageId, n: readLatestPostNumber(tx, messageId) }, { state: "UNANSWERED" });
    noteOutcomeUnknown(session, message, readFirstLegEnd(tx, messageId) ?? message.expiresAt, nowMs);
  };
}

/**
 * One round: closes messages for which no status has come for too long, and deletes statuses that match no message. True when there
 * may be more to do. Where no number is configured and nothing of one is left, nothing is read.
 */
export function closeSilent({ store, clock, settings }: SilenceDeps): () => Promise<boolean> {
  let isLeft = true;
  return async () => {
    const isUsed = Object.keys(settings.now().whatsapp.numbers).length > 0;
    if (!isUsed && !isLeft) return false;
    isLeft = isUsed || isPostOverdue(store.read, Number.MAX_SAFE_INTEGER);
    return closeStep(store, clock.nowMs());
  };
}

type SilenceDeps = { readonly store: Store; readonly clock: Clock; readonly settings: Settings };

async function closeStep(store: Store, nowMs: number): Promise<boolean> {
  const unmatchedBeforeMs = nowMs - UNMATCHED_STATUS_MS;
  if (!isPostOverdue(store.read, nowMs) && !isStatusOld(store.read, unmatchedBeforeMs)) return false;
  return store.write((tx) => {
    const overdue = readOverduePosts(tx, nowMs, STEP);
    const session = openFacts(tx, nowMs);
    for (const post of overdue) {
      closePost(tx, post);
      session.apply({ kind: "receipt_overdue", messageId: post.messageId, isFree: true, isFirstLeg: true });
    }
    session.close();
    return overdue.length + dropExpiredStatuses(tx, unmatchedBeforeMs, STEP) >= STEP;
  });
}
