/**
 * Applies a status of Meta's Cloud API to the message it is about, and notes what an error code says beyond it: an opt-out,
 * an unusable template, a refused country.
 */
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Settings } from "../../config/live-config.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { applyChannelOptOut } from "../../domain/inbound/opt-out.ts";
import type { Applied, FactSession } from "../../domain/messages/apply-facts.ts";
import { findUnknownOutcome } from "../../domain/messages/awaiting-outcome.ts";
import { isOnFallback } from "../../domain/messages/fallback-legs.ts";
import { recordRead } from "../../domain/messages/message-view.ts";
import { readRecipient } from "../../domain/messages/segments.ts";
import { notePriceCategory } from "./category-prices.ts";
import type { PostComposer } from "./compose-post.ts";
import { readBatchNote } from "./match-template.ts";
import { classifyMetaError, type NumberTrouble, toNumberTrouble } from "./meta-errors.ts";
import {
  accepted,
  type CloudStatus,
  delivered,
  failed,
  type PostRef,
  requeueForNumber,
  requeuePost,
  toRetryTime,
} from "./post-facts.ts";
import { closePost, findPost, noteStatus, type PostRecord, readLatestPostNumber } from "./posts.ts";
import { applyTemplateNews } from "./template-updates.ts";
import { notePreference, numberIsNamed, userIsKnown } from "./users.ts";

type StatusRules = {
  readonly nowMs: number;
  /** How long further statuses of a message are waited for. */
  readonly silenceMs: (messageId: number) => number;
  /** Whether a message that Meta does not bill costs nothing. */
  readonly isFreeFree: boolean;
};

export type StatusOutcome = {
  /** The same status came before. */
  readonly isRepeated: boolean;
  readonly trouble: NumberTrouble | null;
  /** Meta calls the user of this number, E.164 with "+", by another, in digits, and has said so for the first time; null otherwise. */
  readonly named: { readonly waId: string; readonly msisdn: string } | null;
};

const BITS: Readonly<Record<CloudStatus["status"], number>> = { sent: 1, delivered: 2, read: 4, failed: 8 };
const REPEATED: StatusOutcome = { isRepeated: true, trouble: null, named: null };

/**
 * Applies a status to its post, once. Of a post that was followed by another it is noted, and moves nothing; nor does a status
 * that comes after the final one.
 */
export function applyStatus(
  tx: Tx,
  session: FactSession,
  post: PostRef,
  status: CloudStatus,
  rules: StatusRules,
): StatusOutcome {
  const bit = BITS[status.status];
  const known = findPost(tx, post.messageId, post.n);
  if (known === null || (known.statusBits & bit) !== 0) return REPEATED;
  const { wamid, userId, code } = status;
  const readAtMs = status.status === "read" ? (status.atMs ?? rules.nowMs) : null;
  const other = otherNumber(tx, known, status.waId);
  const noted = { bit, wamid, userId, code, readAtMs, waId: other?.waId ?? null };
  const named = other !== null && numberIsNamed(tx, other.waId, other.msisdn, rules.nowMs) ? other : null;
  if (userId !== null && known.userId === null) userIsKnown(tx, userId, post.messageId, rules.nowMs);
  if (post.n < readLatestPostNumber(tx, post.messageId)) {
    noteStatus(tx, post, { ...noted, closeAtMs: null });
    return { isRepeated: false, trouble: null, named };
  }
  // Until then, where no answer to the post has said it.
  const isWaited = known.closeAt === null && status.status === "sent";
  const closeAtMs = isWaited ? rules.nowMs + rules.silenceMs(post.messageId) : null;
  noteStatus(tx, post, { ...noted, closeAtMs });
  const { applied, trouble } = moved(tx, session, post, status, rules);
  if (readAtMs !== null) recordRead(tx, post.messageId, readAtMs);
  if (applied === null || applied.isFinal || applied.to !== "SENT") closePost(tx, post);
  return { isRepeated: false, trouble, named };
}

/** The other number that Meta calls the user of a post by, where its answer was lost: answers say it earlier, with all other posts. */
function otherNumber(
  tx: Tx,
  { messageId, state, waId: known }: Pick<PostRecord, "messageId" | "state" | "waId">,
  waId: string | null,
): StatusOutcome["named"] {
  const isAnswered = state !== "POSTED" && state !== "UNANSWERED";
  if (waId === null || known !== null || isAnswered) return null;
  const msisdn = readRecipient(tx, messageId);
  return msisdn.startsWith("+") && msisdn !== `+${waId}` ? { waId, msisdn } : null;
}

type Moved = { readonly applied: Applied | null; readonly trouble: NumberTrouble | null };

function moved(
  tx: Tx,
  session: FactSession,
  post: PostRef,
  status: CloudStatus,
  { nowMs, isFreeFree }: StatusRules,
): Moved {
  switch (status.status) {
    case "sent":
      return { applied: accepted(session, post, true), trouble: null };
    case "delivered":
    case "read":
      accepted(session, post, true);
      return afterDelivery(
        tx,
        delivered(session, post, isFreeFree && !status.isBillable),
        post,
        status,
        nowMs,
      );
    case "failed":
      return afterFailure(tx, session, post, status, nowMs);
  }
}

/** Counts each message once, by the status that ended it. */
function afterDelivery(tx: Tx, applied: Applied, post: PostRef, status: CloudStatus, nowMs: number): Moved {
  const isEnd = applied.to === "DELIVERED" && applied.from !== "DELIVERED";
  return { applied, trouble: isEnd ? notePriceCategory(tx, post, applied.batchId, status, nowMs) : null };
}

function afterFailure(
  tx: Tx,
  session: FactSession,
  post: PostRef,
  { code, atMs }: Pick<CloudStatus, "code" | "atMs">,
  nowMs: number,
): Moved {
  const what = classifyMetaError(code, { as: "status" });
  const operatorCode = code === null ? null : String(code);
  const trouble = toNumberTrouble(what, code ?? 0);
  const row = findUnknownOutcome(tx, post.messageId)?.status ?? "FAILED";
  // A message that goes on by its fallback is shown what became of this leg, whatever the state of the other.
  const stands = isOnFallback(tx, post.messageId) ? "SUBMITTED" : row;
  // It is final, or waits for another post.
  if (stands !== "SENT" && stands !== "SUBMITTED") return { applied: null, trouble };
  const applied = ((): Applied => {
    switch (what.kind) {
      case "again":
        return requeuePost(session, post, stands, toRetryTime(post, what, nowMs), operatorCode);
      case "stop":
        return requeueForNumber(session, post, stands);
      case "final":
        if (what.error === "RECIPIENT_OPTED_OUT")
          noteMetaOptOut(tx, post, { saidAtMs: atMs ?? nowMs, nowMs });
        return failed(session, post, stands, { code: what.error, operatorCode });
      case "unknown":
        return failed(session, post, stands, { code: "OPERATOR_REJECTED", operatorCode });
    }
  })();
  if (applied.to === "QUEUED") session.queuedAgain.add(applied.batchId);
  const ofEnd =
    what.kind === "final" ? noteTemplateTrouble(tx, applied, code, { atMs: atMs ?? nowMs, nowMs }) : null;
  return { applied, trouble: trouble ?? ofEnd };
}

/**
 * Notes that Meta refused a post because its user takes no marketing any more: no sender sends it any to that number. `saidAtMs`: when
 * Meta refused it; the user may have changed their mind since.
 */
export function noteMetaOptOut(
  tx: Tx,
  { messageId, operator }: PostRef,
  { saidAtMs, nowMs }: { readonly saidAtMs: number; readonly nowMs: number },
): void {
  const msisdn = readRecipient(tx, messageId);
  if (!notePreference(tx, { operator, msisdn, isStop: true, saidAtMs })) return;
  applyChannelOptOut(tx, { operator, msisdn, source: "META", word: null }, nowMs);
}

/** Codes that say that a template cannot be sent, and the template's status then. */
const TEMPLATE_CODES: ReadonlyMap<number, string> = new Map([
  [132015, "PAUSED"],
  [132016, "DISABLED"],
]);
const COUNTRY_REFUSED = 130497;

type Ended = { readonly messageId: number; readonly batchId: number };

/**
 * Notes what the code that failed a message says beyond that message: its template stops until it is read again, or the number may not
 * write to a country. `atMs`: when Meta said so.
 */
export function noteTemplateTrouble(
  tx: Tx,
  { messageId, batchId }: Ended,
  code: number | null,
  { atMs, nowMs }: { readonly atMs: number; readonly nowMs: number },
): NumberTrouble | null {
  if (code === COUNTRY_REFUSED)
    return { kind: "country", country: callingCodeOf(readRecipient(tx, messageId)) };
  const status = TEMPLATE_CODES.get(code ?? 0);
  const note = status === undefined ? null : readBatchNote(tx, batchId);
  if (status === undefined || note?.kind !== "template") return null;
  const { wabaId, name, language } = note;
  const isApplied = applyTemplateNews(
    tx,
    { wabaId, name, language, atMs, said: { kind: "stops", status } },
    nowMs,
  );
  return { kind: "template", wabaId, name, isNews: isApplied === "applied" };
}

/** The calling code of a number's country; of one that no library knows, the number's first digits. */
function callingCodeOf(msisdn: string): string {
  return parsePhoneNumberFromString(msisdn)?.countryCallingCode ?? msisdn.slice(1, 4);
}

const HOUR_MS = 3_600_000;
/** How long after the end of a message's life a status may still come. */
const LATE_MS = 300_000;

/** How long statuses of a batch's messages are waited for: as configured, or until a little after Meta's own end where that is sooner. */
export function readStatusTimeout(
  deps: { readonly settings: Settings; readonly store: Pick<Store, "read">; readonly wording: PostComposer },
  batchId: number,
): number {
  const longestMs = deps.settings.now().whatsapp.receipt_timeout_hours * HOUR_MS;
  const lifeMs = deps.wording.lifeMs(deps.store.read, batchId);
  return lifeMs === null ? longestMs : Math.min(longestMs, lifeMs + LATE_MS);
}
