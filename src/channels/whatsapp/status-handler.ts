/**
 * Takes the statuses of Meta's webhook in order: finds the post each is about and applies it, or stores it as unmatched
 * until the post's answer is known.
 */
import { toWhatsAppNumber, toWhatsAppOperator } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import { assert } from "../../core/assert.ts";
import type { Clock } from "../../core/clock.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import type { Recorder } from "../../dispatch/recorder.ts";
import type { FactSession } from "../../domain/messages/apply-facts.ts";
import { readOperators, restartFirstLegTimer } from "../../domain/messages/fallback-legs.ts";
import { findRowId, readUlid } from "../../domain/messages/id-ranges.ts";
import { isBatchInBackup, startHeldBatch } from "../../domain/messages/restore-holds.ts";
import { readBatchId } from "../../domain/messages/segments.ts";
import { applyStatus, readStatusTimeout, type StatusOutcome } from "./apply-status.ts";
import { decodeOpaque } from "./cloud-api.ts";
import type { PostComposer } from "./compose-post.ts";
import type { NumberTrouble } from "./meta-errors.ts";
import type { CloudStatus, PostRef } from "./post-facts.ts";
import { adoptPost, findPost, findPostByWamid, type PostRecord, storeUnmatchedStatus } from "./posts.ts";
import { type SaveTestMessageStatus, toTestMessageStatus } from "./test-messages.ts";
import type { ServiceWindows } from "./users.ts";

/** Statuses by result: "moved" of a post, "repeated", "parked" where no message is known yet. */
export const WHATSAPP_STATUSES = "bendre_whatsapp_statuses_total";

export const STATUS_RESULTS = ["moved", "repeated", "parked"] as const;

type StatusHandlerDeps = {
  readonly settings: Settings;
  readonly store: Pick<Store, "read" | "tally">;
  readonly clock: Clock;
  readonly wording: PostComposer;
  /** Handles the statuses of test messages. */
  readonly ofTest: SaveTestMessageStatus;
};

/** Handles statuses, in their order; resolves once all are durable, and rejects when one could not be written. */
export function createStatusHandler(
  deps: StatusHandlerDeps,
  recorderNow: () => Recorder | null,
  onTrouble: (code: string, trouble: NumberTrouble, sentAtMs: number) => void,
  onNamed: ServiceWindows["named"],
): (statuses: readonly CloudStatus[]) => Promise<void> {
  const { settings, store, clock, ofTest } = deps;
  const counted = store.tally.counters(WHATSAPP_STATUSES);
  return async (statuses) => {
    const recorder = recorderNow();
    assert(recorder, "lines are open before calls are taken");
    await Promise.all(
      statuses.map((status) =>
        recorder
          .record((tx, session): Taken => {
            const nowMs = clock.nowMs();
            const found = postFor(tx, status) ?? adopted(tx, session, status, nowMs);
            if (found === null) {
              const testStatus = toTestMessageStatus(status, nowMs);
              if (testStatus !== null && ofTest(tx, testStatus)) return { ...NO_POST, kind: "moved" };
              storeUnmatchedStatus(tx, status, nowMs);
              return { ...NO_POST, kind: "parked" };
            }
            const { free_is_free: isFreeFree } = settings.now().whatsapp;
            const silenceMs = (messageId: number): number =>
              readStatusTimeout(deps, readBatchId(tx, messageId));
            const rules = { nowMs, silenceMs, isFreeFree };
            const { isRepeated, trouble, named } = applyStatus(tx, session, found.post, status, rules);
            return { kind: isRepeated ? "repeated" : "moved", number: found.number, trouble, named };
          })
          .then(({ kind, number, trouble, named }) => {
            counted.of(kind, status.status).value += 1;
            if (number === null) return;
            if (trouble !== null) onTrouble(number, trouble, clock.steadyMs());
            if (named !== null) onNamed(toWhatsAppOperator(number), `+${named.waId}`, named.msisdn);
          }),
      ),
    );
  };
}

/** The result of a status; `number`: by which number its post was sent, null where it is of none. */
type Taken = Pick<StatusOutcome, "trouble" | "named"> & {
  readonly kind: (typeof STATUS_RESULTS)[number];
  readonly number: string | null;
};

const NO_POST = { number: null, trouble: null, named: null } as const;

/**
 * Adopts an unknown post of a message of ours, made by the appliance that a copy was restored from: Meta has it, whatever the
 * copy says of the message, which counts as sent from now on. Null where the message is none of ours.
 */
function adopted(tx: Tx, session: FactSession, { opaque }: CloudStatus, nowMs: number): FoundPost | null {
  const ours = opaque === null ? null : decodeOpaque(opaque);
  const messageId = ours === null ? null : findRowId(tx, ours.messageUlid);
  if (ours === null || messageId === null) return null;
  const operator = readOperators(tx, messageId).find((code) => toWhatsAppNumber(code) !== null);
  const number = operator === undefined ? null : toWhatsAppNumber(operator);
  if (operator === undefined || number === null) return null;
  const { messageUlid, n } = ours;
  const batchId = readBatchId(tx, messageId);
  if (!isBatchInBackup(tx, batchId)) return null;
  adoptPost(tx, { messageId, n, number }, nowMs);
  // At that appliance its batch was already due.
  startHeldBatch(tx, batchId);
  session.apply({ kind: "claimed", messageId, operator });
  restartFirstLegTimer(tx, messageId, nowMs);
  return { number, post: { messageId, messageUlid, n, operator } };
}

type FoundPost = { readonly post: PostRef; readonly number: string };

/** The post that a status is about, by the opaque text that we sent with it, else by Meta's id; null where neither is known. */
function postFor(read: Reader, { opaque, wamid }: CloudStatus): FoundPost | null {
  const ours = opaque === null ? null : decodeOpaque(opaque);
  const messageId = ours === null ? null : findRowId(read, ours.messageUlid);
  const kept: PostRecord | null =
    (ours !== null && messageId !== null ? findPost(read, messageId, ours.n) : null) ??
    findPostByWamid(read, wamid);
  const messageUlid = kept === null ? null : readUlid(read, kept.messageId);
  if (kept === null || messageUlid === null) return null;
  const { number, n } = kept;
  return {
    number,
    post: { messageId: kept.messageId, messageUlid, n, operator: toWhatsAppOperator(number) },
  };
}
