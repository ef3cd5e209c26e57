/**
 * Sends test messages, which an administrator sends by a number to see it work: of no account, without a price. The caller writes each
 * down before it offers it, and writes down its result. They go before what waits, and are never posted again.
 */
import { isStartDoubted } from "../../core/clock.ts";
import type { Tx } from "../../db/writer.ts";
import type { TaskTracker } from "../../dispatch/worker.ts";
import type { ReceiptVerdict } from "../../domain/messages/facts.ts";
import type { MessageErrorCode } from "../../domain/messages/message-status.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { decodeOpaque, type PostAnswer, type PostContent, renderPostBody } from "./cloud-api.ts";
import { classifyMetaError, toNumberTrouble } from "./meta-errors.ts";
import type { NumberPace, UserSpacing } from "./pacing.ts";
import type { CloudStatus } from "./post-facts.ts";
import type { WhatsAppWorkerDeps } from "./post-messages.ts";

type NumberTestMessage = {
  /** E.164 with "+". */
  readonly msisdn: string;
  readonly what: PostContent;
  /** Comes back with each status. */
  readonly opaque: string;
  /** Called as it leaves; it does not leave where that cannot be written down. */
  readonly left: () => Promise<void>;
  readonly answered: (answer: PostAnswer) => Promise<void>;
};

/** Why nothing may leave by a number at this moment. */
type TestSendBlock =
  | { readonly kind: "held" }
  | { readonly kind: "paused"; readonly reason: string }
  | { readonly kind: "down"; readonly lastError: Phrase | null };

export type NumberTestMessages = {
  /** Null where one may leave. */
  readonly obstacle: () => TestSendBlock | null;
  /** Posts it as soon as the pace allows. The returned function cancels it: whether it had not left. */
  readonly offer: (post: NumberTestMessage) => () => boolean;
};

type Deps = WhatsAppWorkerDeps & {
  readonly pace: NumberPace;
  readonly users: UserSpacing;
  readonly work: TaskTracker;
  readonly isStopping: () => boolean;
  readonly ask: () => void;
  readonly stop: AbortSignal;
};

/** `begin` posts the first that waits, at a time of the steady clock; false where none does. */
export function createNumberTestMessages(
  deps: Deps,
): NumberTestMessages & { readonly begin: (nowMs: number) => boolean } {
  const { code, clock, pace, users, work, day, ask } = deps;
  const waiting: NumberTestMessage[] = [];
  return {
    obstacle: () => hindranceOf(deps),
    offer: (post) => {
      waiting.push(post);
      ask();
      return () => {
        const at = waiting.indexOf(post);
        if (at >= 0) waiting.splice(at, 1);
        return at >= 0;
      };
    },
    begin: (nowMs) => {
      const post = waiting.shift();
      if (post === undefined) return false;
      pace.take(nowMs);
      work.begun();
      users.note(post.msisdn, nowMs);
      day.note(code, post.msisdn, clock.nowMs());
      const ended = (): void => {
        pace.ended();
        work.ended();
        ask();
      };
      work.own(posted(deps, post).finally(ended));
      return true;
    },
  };
}

async function posted(
  deps: Deps,
  { msisdn, what, opaque, left, answered }: NumberTestMessage,
): Promise<void> {
  const { code, clock, client, number, pace, users, stop, onTrouble } = deps;
  await left();
  const sentAtMs = clock.steadyMs();
  const answer = await client.post(number(), renderPostBody(msisdn, what, opaque), stop);
  pace.answered(answer, clock.steadyMs());
  if (answer.kind !== "not_read") users.note(msisdn, clock.steadyMs());
  if (answer.kind === "refused") {
    const { httpStatus } = answer;
    const trouble = toNumberTrouble(
      classifyMetaError(answer.code, { as: "answer", httpStatus }),
      answer.code ?? httpStatus,
    );
    if (trouble !== null) onTrouble(code, trouble, sentAtMs);
  }
  await answered(answer);
}

function hindranceOf({ clock, mayClaim, isStopping, number, obstacle }: Deps): TestSendBlock | null {
  if (isStartDoubted(clock) || !mayClaim() || isStopping()) return { kind: "held" };
  if (!number().enabled) return { kind: "down", lastError: phrase("link.switched_off") };
  const stands = obstacle();
  if (stands === null) return null;
  return stands.kind === "paused"
    ? { kind: "paused", reason: stands.reason }
    : { kind: "down", lastError: stands.why };
}

/** The status of a test message. */
type TestMessageStatus = {
  /** The id that we gave it. */
  readonly ulid: string;
  /** Meta's id. */
  readonly remoteId: string;
  readonly rawState: string;
  readonly operatorCode: string | null;
  readonly verdict: ReceiptVerdict;
  readonly atMs: number;
};

/** Saves it with the test message that it is about; false where it is about none. */
export type SaveTestMessageStatus = (tx: Tx, status: TestMessageStatus) => boolean;

/** Reads a status that fits no message as one of a test message; null where it was never ours. Pure. */
export function toTestMessageStatus(status: CloudStatus, nowMs: number): TestMessageStatus | null {
  const ours = status.opaque === null ? null : decodeOpaque(status.opaque);
  if (ours === null) return null;
  const operatorCode = status.code === null ? null : String(status.code);
  const verdict = verdictOf(status, operatorCode);
  return {
    ulid: ours.messageUlid,
    remoteId: status.wamid,
    rawState: status.status,
    operatorCode,
    verdict,
    atMs: nowMs,
  };
}

function verdictOf({ status, code }: CloudStatus, operatorCode: string | null): ReceiptVerdict {
  if (status === "sent") return { kind: "pending", rawState: status };
  if (status !== "failed") return { kind: "delivered" };
  return { kind: "failed", error: { code: errorOf(code), operatorCode } };
}

function errorOf(code: number | null): MessageErrorCode {
  const what = classifyMetaError(code, { as: "status" });
  if (what.kind === "final") return what.error;
  return what.kind === "again" ? "OPERATOR_THROTTLED" : "OPERATOR_REJECTED";
}
