/**
 * Tells users what became of their messages, and what came in for them: writes receipts from the feed by a cursor, delivers them and the
 * texts over the user's sessions, at most a window unanswered in each, and again where no answer or a passing one came. While nothing is
 * followed nothing is read.
 */
import type { Settings } from "../../config/live-config.ts";
import type { Cancel, Clock } from "../../core/clock.ts";
import { runInBatches } from "../../core/concurrency.ts";
import { errorFields, type Log } from "../../core/log.ts";
import { type Loop, startLoop } from "../../core/loop.ts";
import type { Store } from "../../db/store.ts";
import { type SmppUser, smppUserById } from "../../domain/accounts/smpp-users.ts";
import { inboundText } from "../../domain/inbound/inbound-texts.ts";
import { changesAfter, readText } from "../../domain/messages/batch-messages.ts";
import { ESM_INTERMEDIATE, ESM_RECEIPT, type ShortMessage, shortMessage } from "../../smpp/short-message.ts";
import { STATUS } from "../../smpp/status.ts";
import { writeReceiptDate } from "../../smpp/times.ts";
import {
  type DueReceipt,
  endReceipt,
  feedCursors,
  giveOldReceiptsUp,
  giveReceiptUp,
  hurryReceipts,
  listDue,
  MESSAGE_STATES,
  moveFeedCursor,
  nextDueAtMs,
  postponeReceipt,
  usersWithReceipts,
  writeReceipts,
} from "./follows.ts";
import { toTextDelivery } from "./inbound.ts";
import { endParts, findWaitedText, forgetParts, hasParts } from "./parts.ts";
import type { CustomerSession } from "./session.ts";
import { countReceipts, type ReceiptOutcome } from "./smpp-metrics.ts";
import { SAME_MS } from "./submission.ts";

/** Changes of an account that are read in one transaction. */
const CHANGES = 200;
/** Receipts that are read at a time. */
const DUE = 100;
const EVERY_MS = 500;
/** Between two looks while there is nothing to do. */
const AT_REST_MS = 3_600_000;
/** Delays after each failed attempt; then always the last. */
const RETRY_MS = [5_000, 30_000, 300_000, 900_000] as const;
/** Attempts of a receipt that the client refuses for good. */
const MAX_REFUSED = 3;
/** Between two tries to note what became of a receipt, on a disk that takes nothing. */
const NOTE_AGAIN_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const PURGED_A_STEP = 500;
const FOR_NOW: ReadonlySet<number> = new Set([STATUS.RMSGQFUL, STATUS.RTHROTTLED, STATUS.RSYSERR]);

type ReceiptsDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** The sessions of a user, and the user as it is now; null: nobody. */
  readonly userOf: (userId: number) => SmppUser | null;
  readonly sessionsOf: (userId: number) => Iterable<CustomerSession>;
};

export type Receipts = {
  /** Notes that a message is followed, a part waits, or a receipt was written. */
  readonly wake: () => void;
  /** A user has bound a session that can receive: all that waits is due. */
  readonly bound: (userId: number) => void;
  /** A session of a user can take more. */
  readonly hasRoom: (userId: number) => void;
  readonly delivered: (userId: number, receiptId: number, status: number | null, isLate: boolean) => void;
  readonly stop: () => Promise<void>;
};

export function startReceipts(deps: ReceiptsDeps): Receipts {
  const { store, clock, log, settings } = deps;
  /** Receipts under way, by user. */
  const inFlight = new Map<number, Set<number>>();
  const timers = new Map<number, Cancel>();
  /** How far texts are that go in parts, by the row: the next part, from 0. */
  const inParts = new Map<number, { readonly next: number; readonly total: number }>();
  /** Users to whom what is due is delivered once all that came at this moment is looked at. */
  const soon = new Set<number>();
  /** Users for whom something may be due. */
  const waiting = new Set<number>(usersWithReceipts(store.read));
  let isStopped = false;
  let cancel: Cancel = () => {};
  let lookedForOldMs = Number.NEGATIVE_INFINITY;

  const flightOf = (userId: number): Set<number> => {
    const known = inFlight.get(userId) ?? new Set<number>();
    inFlight.set(userId, known);
    return known;
  };

  /** Delivers what is due to a user, as far as its sessions take it. */
  const deliver = (userId: number): void => {
    const user = isStopped ? null : deps.userOf(userId);
    if (user === null) return;
    const slots = new Map<CustomerSession, number>();
    let free = 0;
    for (const session of deps.sessionsOf(userId)) {
      const count = session.deliverySlots(user.window);
      if (count > 0) slots.set(session, count);
      free += count;
    }
    if (free === 0) return;
    const flight = flightOf(userId);
    const nowMs = clock.nowMs();
    const found = listDue(store.read, userId, nowMs, Math.min(free, DUE) + flight.size);
    const due = found.filter(({ id }) => !flight.has(id)).slice(0, Math.min(free, DUE));
    for (const one of due) {
      const session = choose(slots, one.inboundId === null ? one.sessionId : null);
      if (session === null) break;
      flight.add(one.id);
      slots.set(session, (slots.get(session) ?? 1) - 1);
      const message =
        one.inboundId === null
          ? toDeliverSm(store, one, user, session.hasTlvs)
          : nextOfText(one.id, one.inboundId, user, session.hasTlvs);
      // A text that is forgotten by now is delivered to nobody.
      if (message === null) delivered(userId, one.id, STATUS.ROK, false);
      else session.deliver(one.id, message);
    }
    if (due.length === 0 && flight.size === 0) setTimer(userId);
  };

  /** The next deliver_sm of a text that came in: all of it, or a part of it; null where it is forgotten. */
  const nextOfText = (
    rowId: number,
    inboundId: number,
    user: SmppUser,
    hasTlvs: boolean,
  ): ShortMessage | null => {
    const kept = inboundText(store.read, inboundId);
    if (!kept?.text) return null;
    const all = toTextDelivery({ ...kept, text: kept.text }, user, hasTlvs);
    const begun = inParts.get(rowId);
    const at = begun?.total === all.length ? begun.next : 0;
    if (all.length > 1) inParts.set(rowId, { next: at, total: all.length });
    else inParts.delete(rowId);
    return all[at] ?? null;
  };

  /** Notes that a part of a text was taken or not; whether others are to follow before it is delivered. */
  const notePart = (id: number, isTaken: boolean): boolean => {
    const begun = inParts.get(id);
    if (begun === undefined) return false;
    const next = isTaken ? begun.next + 1 : 0;
    if (next === begun.total) inParts.delete(id);
    else inParts.set(id, { ...begun, next });
    return isTaken && next < begun.total;
  };

  /** Looks again when the next receipt is due; forgets a user for whom none waits. */
  const setTimer = (userId: number): void => {
    timers.get(userId)?.();
    timers.delete(userId);
    const atMs = nextDueAtMs(store.read, userId);
    if (atMs === null) {
      waiting.delete(userId);
      inFlight.delete(userId);
      return;
    }
    const waitMs = Math.max(EVERY_MS, atMs - clock.nowMs());
    timers.set(
      userId,
      clock.after(waitMs, () => deliver(userId)),
    );
  };

  const count = (userId: number, outcome: ReceiptOutcome, times = 1): void => {
    const user = deps.userOf(userId) ?? smppUserById(store.read, userId);
    if (user !== null) countReceipts(store.tally, user.systemId, outcome, times);
  };

  const note = async (userId: number, id: number, status: number | null): Promise<void> => {
    const { receipt_hours } = settings.now().smpp_server;
    const outcome = await store.write((tx): ReceiptOutcome | null => {
      const nowMs = clock.nowMs();
      const receipt = tx.get<{ attempts: number; firstDueAtMs: number }>(
        "SELECT attempts, first_due_at AS firstDueAtMs FROM smpp_receipts WHERE id = ?",
        id,
      );
      if (!receipt) return null;
      const { attempts, firstDueAtMs } = receipt;
      if (status === STATUS.ROK) {
        endReceipt(tx, id);
        return "delivered";
      }
      const isPassing = status === null || FOR_NOW.has(status);
      const isOver = isPassing
        ? nowMs >= firstDueAtMs + receipt_hours * HOUR_MS
        : attempts + 1 >= MAX_REFUSED;
      if (isOver) {
        inParts.delete(id);
        giveReceiptUp(tx, userId, id);
      } else postponeReceipt(tx, id, nowMs + (RETRY_MS[attempts] ?? RETRY_MS[3]));
      return isOver ? "given_up" : "repeated";
    });
    if (outcome !== null) count(userId, outcome);
  };

  const delivered: Receipts["delivered"] = (userId, id, status, isLate) => {
    // What had been given up is tried again, or was: only that it was taken still counts.
    if (isLate && (status !== STATUS.ROK || inParts.has(id))) return;
    if (notePart(id, status === STATUS.ROK)) {
      inFlight.get(userId)?.delete(id);
      if (!isStopped) again(userId);
      return;
    }
    const tryToNote = (): void => {
      note(userId, id, status).then(
        () => {
          if (!isLate) inFlight.get(userId)?.delete(id);
          if (!isStopped) again(userId);
        },
        (error: unknown) => {
          log.error("what became of a receipt could not be noted", { ...errorFields(error) });
          // It stays under way until the disk takes that: the client has answered it, and must not get it again.
          if (!isStopped) clock.after(NOTE_AGAIN_MS, tryToNote);
        },
      );
    };
    tryToNote();
  };

  /** Delivers what is due once for all answers that came together: each look reads what is in flight as well. */
  const deliverSoon = (userId: number): void => {
    if (soon.has(userId)) return;
    soon.add(userId);
    queueMicrotask(() => {
      soon.delete(userId);
      if (isStopped) return;
      deliver(userId);
      if (flightOf(userId).size === 0) setTimer(userId);
    });
  };

  const again = (userId: number): void => {
    waiting.add(userId);
    deliverSoon(userId);
  };

  /** Reads a page further in the feeds of accounts with followed messages; whether there is more. */
  const look = async (): Promise<boolean> => {
    let hasMore = false;
    const told = new Set<number>();
    for (const { accountId, stampUs } of feedCursors(store.read)) {
      const changes = changesAfter(store.read, accountId, stampUs, CHANGES);
      const last = changes.at(-1);
      if (!last) continue;
      hasMore ||= changes.length === CHANGES;
      const users = await store.write((tx) => {
        const found = changes.flatMap((change) => writeReceipts(tx, change, clock.nowMs()));
        moveFeedCursor(tx, { accountId, stampUs: last.stampUs });
        return found;
      });
      for (const userId of users) told.add(userId);
    }
    for (const userId of told) again(userId);
    return hasMore;
  };

  /** Ends texts whose parts have waited too long, and forgets what ended a while ago. */
  const lookAtParts = async (): Promise<void> => {
    const { part_wait_seconds } = settings.now().smpp_server;
    const nowMs = clock.nowMs();
    for (;;) {
      const key = findWaitedText(store.read, nowMs - part_wait_seconds * 1000);
      if (key === null) break;
      await store.write((tx) => endParts(tx, key, "EXPIRED", clock.nowMs()));
      again(key.userId);
    }
    await store.write((tx) => forgetParts(tx, nowMs - SAME_MS, PURGED_A_STEP), "with the next");
  };

  /** Gives up what has waited too long for a user that does not bind. */
  const giveUpOld = async (): Promise<void> => {
    if (clock.steadyMs() < lookedForOldMs + MINUTE_MS) return;
    lookedForOldMs = clock.steadyMs();
    const beforeMs = clock.nowMs() - settings.now().smpp_server.receipt_hours * HOUR_MS;
    for (const userId of usersWithReceipts(store.read)) {
      const step = (): Promise<number> =>
        store.write((tx) => giveOldReceiptsUp(tx, userId, beforeMs, PURGED_A_STEP), "with the next");
      const givenUp = await runInBatches(PURGED_A_STEP, step);
      if (givenUp > 0) count(userId, "given_up", givenUp);
    }
  };

  /** Whether the next look may come late: nothing is followed, and no part waits. */
  const isAtRest = (): boolean =>
    feedCursors(store.read).length === 0 &&
    !hasParts(store.read) &&
    usersWithReceipts(store.read).length === 0;
  let isAwake = !isAtRest();
  const loop: Loop = startLoop({
    name: "receipts of SMPP users",
    everyMs: AT_REST_MS,
    clock,
    log,
    runOnce: async () => {
      if (!isAwake || isStopped) return false;
      const hasMore = await look();
      if (hasParts(store.read)) await lookAtParts();
      await giveUpOld();
      for (const userId of usersWithReceipts(store.read)) {
        waiting.add(userId);
        deliver(userId);
      }
      if (!hasMore) isAwake = !isAtRest();
      cancel();
      if (isAwake) cancel = clock.after(EVERY_MS, loop.wake);
      return hasMore;
    },
  });
  return {
    wake: () => {
      isAwake = true;
      loop.wake();
    },
    bound: (userId) => {
      store
        .write((tx) => hurryReceipts(tx, userId, clock.nowMs()), "with the next")
        .catch((error: unknown) => log.error("receipts could not be hurried", { ...errorFields(error) }))
        .finally(() => {
          if (!isStopped) again(userId);
        });
    },
    hasRoom: (userId) => {
      if (waiting.has(userId)) deliverSoon(userId);
    },
    delivered,
    stop: async () => {
      isStopped = true;
      cancel();
      for (const end of timers.values()) end();
      await loop.stop();
    },
  };
}

/** The session that submitted, else the one with least in flight, among those with room. */
function choose(
  slots: ReadonlyMap<CustomerSession, number>,
  sessionId: number | null,
): CustomerSession | null {
  let best: CustomerSession | null = null;
  for (const [session, free] of slots) {
    if (free <= 0) continue;
    if (session.serial === sessionId) return session;
    if (best === null || session.inFlight < best.inFlight) best = session;
  }
  return best;
}

const WRITTEN_TEXT = 20;
/** What a receipt repeats of a text is read by programs that split it at its labels. */
const UNPRINTABLE = /[^\x20-\x7e]/g;
/** network_error_code: a network of GSM (SMPP 3.4 section 5.3.2.31). */
const GSM_NETWORK = 3;

/**
 * A receipt as a deliver_sm: the text of SMPP 3.4 Appendix B, in UTC, and the same in optional parameters for clients that know them. The
 * addresses are those of the submit, swapped.
 */
function toDeliverSm(
  { read }: Pick<Store, "read">,
  receipt: DueReceipt,
  user: Pick<SmppUser, "receiptText">,
  hasTlvs: boolean,
): ShortMessage {
  const { state, error, replyId, submittedAtMs, doneAtMs, messageId, userReference } = receipt;
  const sent = user.receiptText > 0 && messageId !== null ? (readText(read, messageId) ?? "") : "";
  const text = sent.slice(0, WRITTEN_TEXT).replaceAll(UNPRINTABLE, "?");
  const line = [
    `id:${replyId}`,
    "sub:001",
    `dlvrd:${state === "DELIVRD" ? "001" : "000"}`,
    `submit date:${writeReceiptDate(submittedAtMs)}`,
    `done date:${writeReceiptDate(doneAtMs)}`,
    `stat:${state}`,
    `err:${error}`,
    `text:${text}`,
  ].join(" ");
  const code = Number(error);
  return shortMessage({
    sourceAddrTon: receipt.destTon,
    sourceAddrNpi: receipt.destNpi,
    sourceAddr: receipt.destination,
    destAddrTon: receipt.sourceTon,
    destAddrNpi: receipt.sourceNpi,
    destinationAddr: receipt.source,
    esmClass: state === "ACCEPTD" ? ESM_INTERMEDIATE : ESM_RECEIPT,
    shortMessage: Buffer.from(line, "latin1"),
    tlvs: hasTlvs
      ? {
          receiptedMessageId: replyId,
          messageState: MESSAGE_STATES[state],
          ...(code > 0 && { networkErrorCode: Uint8Array.of(GSM_NETWORK, code >> 8, code & 0xff) }),
          ...(userReference !== null && { userMessageReference: userReference }),
        }
      : {},
  });
}
