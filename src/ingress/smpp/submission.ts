/**
 * Submits what customers send (by domain/submission/submit.ts): a whole text is one batch of one recipient, and so is a text whose last
 * part came. Answered once it is on the disk; repeated within ten minutes it is answered as the first time.
 */
import type { Settings } from "../../config/live-config.ts";
import { type Clock, isoUtc } from "../../core/clock.ts";
import { errorFields, type Log } from "../../core/log.ts";
import { isDiskFailure } from "../../db/errors.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { isApproved } from "../../domain/accounts/senders.ts";
import type { SmppUser } from "../../domain/accounts/smpp-users.ts";
import { messagesOfBatch, readChange } from "../../domain/messages/batch-messages.ts";
import { markAsSmpp } from "../../domain/messages/insert.ts";
import type { AcceptedBatch } from "../../domain/submission/commit-batch.ts";
import { composeKey, lastReply, type StoredReply } from "../../domain/submission/idempotency.ts";
import { type IntakeRefusal, readLiteralRequest } from "../../domain/submission/request.ts";
import type { Submit } from "../../domain/submission/submit.ts";
import type { ShortMessage } from "../../smpp/short-message.ts";
import {
  type Answered,
  findFollow,
  insertFollows,
  lookFrom,
  takeReplyId,
  type WrittenPair,
  wantsReceipts,
} from "./follows.ts";
import {
  completeParts,
  countWaitingParts,
  endParts,
  insertPart,
  type NewPart,
  partsOfText,
  type StoredPart,
  type TextKey,
} from "./parts.ts";
import { decodeText, type PartPlace, type ReadSubmit, readSubmit, textFault } from "./read-submit.ts";
import {
  isForNow,
  isSmppRefusal,
  REFUSALS,
  type SmppRefusal,
  toIntakeRefusal,
  toRejectionRefusal,
  toSentence,
} from "./refusals.ts";
import type { SubmitResult } from "./session.ts";

/** How long a part or a text is known again (docs/behaviour.md#repetitions-without-a-key). */
export const SAME_MS = 600_000;
/** Below the keys of users of the doors for Kannel and Jasmin (ingress/compat/submission.ts). */
const KEYS_BELOW = -2_000_000_000_000;
export const MAX_WAITING_PARTS = 10_000;

type SubmissionDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  readonly submit: Submit;
  readonly isStopping: () => boolean;
  /** Why nothing is taken at this moment: parts that wait are not looked at by the intake. */
  readonly notNow: () => IntakeRefusal | null;
  /** Called after the commit when the feed of an account is to be read for receipts, or parts wait or have ended. */
  readonly wake: () => void;
};

type SmppSubmission = (user: SmppUser, sessionId: number, message: ShortMessage) => Promise<SubmitResult>;

/** A text that is submitted as one message. */
type TextOrder = WrittenPair &
  Pick<
    ReadSubmit,
    | "senders"
    | "receiver"
    | "messageClass"
    | "scheduledAtMs"
    | "askedTime"
    | "expiresByMs"
    | "late"
    | "clientReference"
  > & {
    readonly text: string;
    /** The part that is answered now; 1 of a whole text. */
    readonly part: number;
    /** What the client is answered, of each part; called in the accepting transaction. */
    readonly answered: (tx: Tx, messageUlid: string) => readonly Answered[];
    /** Called in the same transaction. */
    readonly conclude: (tx: Tx) => void;
  };

type Taken =
  | { readonly kind: "answered"; readonly id: string }
  | { readonly kind: "refused"; readonly reason: SmppRefusal }
  /** The first time, with the ids of its parts. */
  | { readonly kind: "repeated"; readonly ids: readonly string[]; readonly messageId: number | null };

/** One for a process: it alone knows what is under way. */
export function createSmppSubmission(deps: SubmissionDeps): SmppSubmission {
  const texts = new Map<string, Promise<Taken>>();
  const chains = new Map<string, Promise<unknown>>();

  /** Runs work about one long text after what is under way about it. */
  const inTurn = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const before = chains.get(name);
    const mine = (async () => {
      if (before !== undefined) await Promise.allSettled([before]);
      return work();
    })();
    chains.set(name, mine);
    try {
      return await mine;
    } finally {
      if (chains.get(name) === mine) chains.delete(name);
    }
  };

  const submitText = (user: SmppUser, order: TextOrder): Promise<Taken> => {
    const bodyDigest = digestOf(order);
    const name = bodyDigest.toString("hex");
    const place = `${user.id} ${name}`;
    const sameNow = texts.get(place);
    if (sameNow !== undefined) return sameNow.then((taken) => repeatedOf(deps, user, taken));
    const answer = takeText(deps, user, order, { name, bodyDigest });
    texts.set(place, answer);
    const forget = (): void => void texts.delete(place);
    answer.then(forget, forget);
    return answer;
  };

  return async (user, sessionId, message) => {
    const nowMs = deps.clock.nowMs();
    const reading = readSubmit(message, user, nowMs);
    try {
      if (!reading.ok) {
        const { reason, place } = reading;
        if (place === null) return refused(reason);
        const key = toTextKey(user, message, place);
        return await inTurn(JSON.stringify(key), () => refusePart(deps, key, reason));
      }
      const { submit } = reading;
      const { place, text } = submit;
      if (place !== null) {
        const key = toTextKey(user, message, place);
        const work = () => takePart(deps, user, { sessionId, submit, place, key, nowMs }, submitText);
        return await inTurn(JSON.stringify(key), work);
      }
      const only = { part: 1, registered: submit.registered, sessionId, submittedAtMs: nowMs };
      const answered = (tx: Tx, messageUlid: string): readonly Answered[] => [
        {
          ...only,
          userReference: submit.userReference,
          replyId: user.ids === "ulid" ? messageUlid : takeReplyId(tx, user, { newId: deps.newId, nowMs }),
        },
      ];
      const order = { ...submit, text: text ?? "", part: 1, answered, conclude: () => {} };
      return toResult(await submitText(user, order), 1);
    } catch (error) {
      deps.log.error("a submit of a customer could not be taken", { ...errorFields(error) });
      return refused(isDiskFailure(error) ? "STORAGE_FULL" : "INTERNAL_ERROR");
    }
  };
}

function refused(reason: SmppRefusal): SubmitResult {
  return { ok: false, reason, sentence: toSentence(reason) };
}

function toResult(taken: Taken, part: number): SubmitResult {
  switch (taken.kind) {
    case "answered":
      return { ok: true, id: taken.id };
    case "repeated":
      return { ok: true, id: taken.ids[part - 1] ?? taken.ids[0] ?? "" };
    case "refused":
      return refused(taken.reason);
  }
}

/** What a second submit is answered that came while the first was under way. */
function repeatedOf({ store }: SubmissionDeps, user: SmppUser, taken: Taken): Taken {
  if (taken.kind !== "answered") return taken;
  const messageId = findFollow(store.read, user.id, taken.id)?.messageId ?? null;
  return { kind: "repeated", ids: [taken.id], messageId };
}

/** The same receiver, text and schedule are the same text, whatever the rest. */
function digestOf({ receiver, text, askedTime }: TextOrder): Buffer {
  const same = ["smpp", receiver.replace(/[^\d+]/g, ""), text, askedTime];
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(same)).digest();
}

type Named = { readonly name: string; readonly bodyDigest: Buffer };

async function takeText(
  deps: SubmissionDeps,
  user: SmppUser,
  order: TextOrder,
  { name, bodyDigest }: Named,
): Promise<Taken> {
  const { store, clock, submit } = deps;
  const apiKeyId = KEYS_BELOW - user.id;
  const nowMs = clock.nowMs();
  const before = lastReply(store.read, apiKeyId, name, nowMs - SAME_MS);
  if (before?.status === 0) {
    const ids = before.text.split(",");
    const messageId = findFollow(store.read, user.id, ids[0] ?? "")?.messageId ?? null;
    if (messageId === null || isStanding(store, messageId)) return { kind: "repeated", ids, messageId };
  }
  if (order.late !== null) return { kind: "refused", reason: order.late };
  const sender = senderOf(store, user, order.senders);
  if (sender === null) return { kind: "refused", reason: "SENDER_NOT_APPROVED" };
  const literal = readLiteralRequest({
    sender,
    text: order.text,
    messageClass: order.messageClass,
    receivers: [order.receiver],
    scheduledAt: order.scheduledAtMs === null ? null : isoUtc(order.scheduledAtMs),
    clientReference: order.clientReference,
  });
  const request = literal.ok
    ? { ok: true as const, value: { ...literal.value, expiresBy: order.expiresByMs } }
    : literal;
  const answer = await submit({
    accountId: user.accountId,
    key: { apiKeyId, text: composeKey(name, nowMs), bodyDigest },
    request,
    replyTo: (batch, tx) => replyTo(deps, user, order, batch, tx),
  });
  switch (answer.kind) {
    case "accepted":
    case "repeated": {
      const { status, text } = answer.reply;
      if (status === 0) return { kind: "answered", id: text.split(",")[order.part - 1] ?? text };
      return { kind: "refused", reason: isSmppRefusal(text) ? text : "INTERNAL_ERROR" };
    }
    case "in progress":
    case "key reused":
      return { kind: "refused", reason: "INTERNAL_ERROR" };
    case "refused":
      return { kind: "refused", reason: toIntakeRefusal(answer.refusal, deps.isStopping()) };
  }
}

/** Writes what the client was answered, in the transaction that accepts the message. A refusal is answered and not known again. */
function replyTo(
  deps: SubmissionDeps,
  user: SmppUser,
  order: TextOrder,
  batch: AcceptedBatch,
  tx: Tx,
): StoredReply {
  markAsSmpp(tx, batch.id);
  const [message] = batch.sums.accepted > 0 ? messagesOfBatch(tx, batch.id) : [];
  if (!message) {
    const [rejection] = batch.rejections;
    const reason = rejection ? toRejectionRefusal(rejection.reason) : "INTERNAL_ERROR";
    return { status: REFUSALS[reason], text: reason };
  }
  const answered = order.answered(tx, message.ulid);
  insertFollows(tx, { user, pair: order }, message.id, answered);
  order.conclude(tx);
  if (answered.some(({ registered }) => wantsReceipts(registered))) {
    lookFrom(tx, user.accountId, batch.id);
    tx.afterCommit(deps.wake);
  }
  return { status: 0, text: answered.map(({ replyId }) => replyId).join(",") };
}

/** Whether a message is not over, or was delivered: its repetition is not sent. */
function isStanding({ read }: Pick<Store, "read">, messageId: number): boolean {
  const status = readChange(read, messageId)?.status;
  return status !== "FAILED" && status !== "CANCELLED";
}

/** The sender among those that were meant that the account may use; the first where it may use none, null where none was meant. */
function senderOf({ read }: Pick<Store, "read">, user: SmppUser, senders: readonly string[]): string | null {
  if (senders.length === 0) return user.sender;
  return senders.find((name) => isApproved(read, user.accountId, name)) ?? senders[0] ?? null;
}

function toTextKey(
  user: SmppUser,
  { sourceAddr: source, destinationAddr: destination, dataCoding: coding }: ShortMessage,
  { kind, reference, total }: PartPlace,
): TextKey {
  return { userId: user.id, source, destination, kind, reference, total, coding };
}

/** Refuses a part, and for good: then its text becomes no message, and the parts before it end. */
async function refusePart(deps: SubmissionDeps, key: TextKey, reason: SmppRefusal): Promise<SubmitResult> {
  const { store, clock, wake } = deps;
  const isAlone = partsOfText(store.read, key).every(({ state }) => state !== null);
  if (!isForNow(reason) && !isAlone)
    await store.write((tx) => {
      if (endParts(tx, key, "REJECTD", clock.nowMs())) tx.afterCommit(wake);
    });
  return refused(reason);
}

type Part = {
  readonly sessionId: number;
  readonly submit: ReadSubmit;
  readonly place: PartPlace;
  readonly key: TextKey;
  readonly nowMs: number;
};

type Arrival =
  | { readonly kind: "answered"; readonly id: string }
  | { readonly kind: "refused"; readonly reason: SmppRefusal }
  /** All others are here. */
  | { readonly kind: "completes"; readonly others: readonly StoredPart[] };

/** Takes a part: keeps it, or submits the text that it completes. */
async function takePart(
  deps: SubmissionDeps,
  user: SmppUser,
  part: Part,
  submitText: (user: SmppUser, order: TextOrder) => Promise<Taken>,
): Promise<SubmitResult> {
  const { store, newId } = deps;
  const { key, place, submit, nowMs } = part;
  const digest = new Bun.CryptoHasher("sha256").update(submit.octets).digest();
  const toNew = (replyId: string): NewPart => ({
    part: place.part,
    octets: submit.octets,
    digest,
    replyId,
    registered: submit.registered,
    sessionId: part.sessionId,
    source: submit.source,
    destination: submit.destination,
    userReference: submit.userReference,
    messageClass: submit.messageClass,
    scheduledAtMs: submit.scheduledAtMs,
    askedTime: submit.askedTime,
    expiresByMs: submit.expiresByMs,
    clientReference: submit.clientReference,
    receivedAtMs: nowMs,
  });
  const closed = deps.notNow();
  const arrival = await store.write((tx): Arrival => {
    const stored = partsOfText(tx, key);
    const same = stored.find((one) => isRepeated(deps, user, one, place.part, digest, nowMs));
    if (same) return { kind: "answered", id: same.replyId };
    if (submit.late !== null) return { kind: "refused", reason: submit.late };
    const waiting = stored.filter(({ state }) => state === null);
    const isOther = waiting.some((one) => one.part === place.part);
    if (isOther) endParts(tx, key, "EXPIRED", nowMs);
    const others = isOther ? [] : waiting;
    if (others.length === key.total - 1) return { kind: "completes", others };
    if (closed !== null) return { kind: "refused", reason: toIntakeRefusal(closed, deps.isStopping()) };
    if (countWaitingParts(tx, user.id, MAX_WAITING_PARTS) >= MAX_WAITING_PARTS)
      return { kind: "refused", reason: "TOO_MANY_PARTS" };
    const replyId = takeReplyId(tx, user, { newId, nowMs });
    insertPart(tx, key, toNew(replyId), null);
    tx.afterCommit(deps.wake);
    return { kind: "answered", id: replyId };
  });
  if (arrival.kind === "answered") return { ok: true, id: arrival.id };
  if (arrival.kind === "refused") return refusePart(deps, key, arrival.reason);
  const taken = await completeText(deps, user, part, { others: arrival.others, toNew }, submitText);
  return taken.kind === "refused" ? refusePart(deps, key, taken.reason) : toResult(taken, place.part);
}

/** Whether a part came before: it waits, or its text was accepted a short while ago and has not failed since. */
function isRepeated(
  { store }: SubmissionDeps,
  user: SmppUser,
  { part, digest, state, receivedAtMs, replyId }: StoredPart,
  number: number,
  octets: Uint8Array,
  nowMs: number,
): boolean {
  if (part !== number || Buffer.compare(digest, octets) !== 0) return false;
  if (state === null) return true;
  if (state !== "COMPLETE" || receivedAtMs < nowMs - SAME_MS) return false;
  const follow = findFollow(store.read, user.id, replyId);
  return follow === null || isStanding(store, follow.messageId);
}

type Completing = {
  readonly others: readonly StoredPart[];
  readonly toNew: (replyId: string) => NewPart;
};

async function completeText(
  deps: SubmissionDeps,
  user: SmppUser,
  { submit, place, key, nowMs, sessionId }: Part,
  { others, toNew }: Completing,
  submitText: (user: SmppUser, order: TextOrder) => Promise<Taken>,
): Promise<Taken> {
  const { store, newId } = deps;
  const all = [...others, { ...toNew(""), octets: submit.octets }].sort((a, b) => a.part - b.part);
  const text = decodeText(Buffer.concat(all.map(({ octets }) => octets ?? new Uint8Array())), submit.coding);
  if (text === null) return { kind: "refused", reason: "UNDECODABLE_TEXT" };
  const fault = textFault(text);
  if (fault !== null) return { kind: "refused", reason: fault };
  const first = all[0] ?? toNew("");
  const answeredOf = (ownId: string): readonly Answered[] =>
    all.map((one) => ({
      part: one.part,
      replyId: one.part === place.part ? ownId : one.replyId,
      registered: one.registered,
      sessionId: one.part === place.part ? sessionId : one.sessionId,
      userReference: one.userReference,
      submittedAtMs: one.receivedAtMs,
    }));
  let ownId = "";
  const taken = await submitText(user, {
    source: submit.source,
    destination: submit.destination,
    senders: submit.senders,
    receiver: submit.receiver,
    messageClass: first.messageClass,
    scheduledAtMs: first.scheduledAtMs,
    askedTime: first.askedTime,
    expiresByMs: first.expiresByMs,
    late: null,
    clientReference: first.clientReference,
    text,
    part: place.part,
    answered: (tx) => {
      ownId = takeReplyId(tx, user, { newId, nowMs });
      return answeredOf(ownId);
    },
    conclude: (tx) => {
      insertPart(tx, key, toNew(ownId), "COMPLETE");
      completeParts(tx, key, deps.clock.nowMs());
    },
  });
  if (taken.kind === "repeated") {
    // The same text came before in another form: ids that these parts were given stand for the first message, without receipts.
    const { messageId } = taken;
    const aliases = answeredOf("").filter(({ part }) => part !== place.part);
    await store.write((tx) => {
      if (messageId !== null) insertFollows(tx, { user, pair: submit }, messageId, aliases, false);
      completeParts(tx, key, deps.clock.nowMs());
    });
  }
  return taken;
}
