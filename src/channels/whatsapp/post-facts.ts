/**
 * The facts by which a post moves its message, and the statuses that Meta reports of posts. A message has one part here, and
 * each of its posts has an id of its own for that part. All facts apply to the first leg: a message that goes on as an SMS is not
 * moved by its posts any more.
 */
import { backoffMs, MAX_BACKOFF_MS } from "../../dispatch/attempt.ts";
import type { Applied, FactSession } from "../../domain/messages/apply-facts.ts";
import type { MessageError, Status } from "../../domain/messages/message-status.ts";
import {
  encodeOpaque,
  type Fields,
  readFields,
  readInteger,
  readList,
  readTime,
  readWaId,
} from "./cloud-api.ts";
import { type MetaErrorClass, PAIR_MS, pickDecisiveCode } from "./meta-errors.ts";

/** A post, and the fields of its message that decide. */
export type PostRef = {
  readonly messageId: number;
  readonly messageUlid: string;
  readonly n: number;
  readonly operator: string;
};

/** The most times that a message is posted. */
const MAX_POSTS = 5;
/** The shortest time that a post of unknown outcome is waited for. */
const MIN_UNKNOWN_MS = 600_000;

type AgainConsequence = Extract<MetaErrorClass, { kind: "again" }>;

/** The outcome is unknown: the message is never posted again, and waits for a status until its validity is over. */
export function noteOutcomeUnknown(
  session: FactSession,
  { messageId }: Pick<PostRef, "messageId">,
  expiresAt: number,
  nowMs: number,
): Applied {
  const untilMs = Math.max(expiresAt, nowMs + MIN_UNKNOWN_MS);
  return session.apply({ kind: "unanswered", messageId, next: "wait", untilMs, isFirstLeg: true });
}

/** Meta has it. `byStatus`: a status shows that. */
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
    isFirstLeg: true,
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
    : session.apply({ kind: "refused", messageId: post.messageId, error, isFirstLeg: true });
}

/** When a message whose post did not go out may be posted again. */
export function toRetryTime(
  { n }: Pick<PostRef, "n">,
  { slows }: Pick<AgainConsequence, "slows">,
  nowMs: number,
): number {
  return nowMs + Math.min(slows === "user" ? PAIR_MS : backoffMs(n), MAX_BACKOFF_MS);
}

/** Requeues a message whose post did not go out, if it has an attempt left. */
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
 * Requeues a message in its place as if it had not been posted, since Meta refused the number. The message itself was no reason, so
 * if it waits in vain it has expired in the queue, and is not throttled.
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
    : session.apply({ kind: "postponed", messageId, notBeforeMs, operatorCode, isFirstLeg: true });
}

type Verdict = Extract<Parameters<FactSession["apply"]>[0], { kind: "receipt" }>["verdict"];

function receipt(session: FactSession, post: PostRef, verdict: Verdict): Applied {
  return session.apply({
    kind: "receipt",
    messageId: post.messageId,
    part: 1,
    remoteKey: keyOf(post),
    isFirstLeg: true,
    verdict,
  });
}

/** Meta's id holds the user's number, so nothing of it is stored with the message. */
function keyOf({ messageUlid, n }: PostRef): string {
  return encodeOpaque(messageUlid, n);
}

// Reads the statuses in calls of Meta's webhook, as far as they are understood. Pure.

/** The statuses that Meta reports of a message. */
export const STATUS_NAMES = ["sent", "delivered", "read", "failed"] as const;

/** One status of one message. */
export type CloudStatus = {
  readonly wamid: string;
  readonly status: (typeof STATUS_NAMES)[number];
  /** When it happened, as Meta says; null where it does not. */
  readonly atMs: number | null;
  readonly opaque: string | null;
  /** Meta's id of the user; null where it does not say. */
  readonly userId: string | null;
  /** The wa_id of a user who shows a number, in digits; null where Meta does not say. */
  readonly waId: string | null;
  /** Of a failure: Meta's code. */
  readonly code: number | null;
  /** Whether Meta bills it; true where nothing is said. */
  readonly isBillable: boolean;
  /** The category that Meta priced it as, in its words; null where nothing is said. */
  readonly category: string | null;
};

/** One `change` of a call: its field, and all that it says. */
export type CloudChange = {
  readonly waba: string;
  readonly field: string;
  readonly value: Fields;
  /** When Meta first reported it; null where it does not say. */
  readonly atMs: number | null;
};

/** The changes in a call; null for a body that is none of Meta's. */
export function parseChanges(body: unknown): readonly CloudChange[] | null {
  const { object, entry } = readFields(body);
  if (object !== "whatsapp_business_account" || !Array.isArray(entry)) return null;
  return entry.map(readFields).flatMap(({ id, changes, time }) =>
    readList(changes).flatMap((change) => {
      const { field, value } = readFields(change);
      if (typeof field !== "string") return [];
      return [{ waba: String(id ?? ""), field, value: readFields(value), atMs: readTime(time) }];
    }),
  );
}

/** The statuses of a change, and how many of its parts were not understood. */
export function parseStatuses({ value }: Pick<CloudChange, "value">): {
  readonly statuses: readonly CloudStatus[];
  readonly unknown: number;
} {
  const all = readList(value.statuses).map(readStatus);
  const statuses = all.filter((status) => status !== null);
  return { statuses, unknown: all.length - statuses.length };
}

function readStatus(value: unknown): CloudStatus | null {
  const fields = readFields(value);
  const status = STATUS_NAMES.find((name) => name === fields.status);
  const { id, biz_opaque_callback_data: opaque, recipient_user_id: userId } = fields;
  if (typeof id !== "string" || id === "" || id.length > 512 || status === undefined) return null;
  const pricing = readFields(fields.pricing);
  const [error] = readList(fields.errors).map(readFields);
  const codes = { code: readInteger(error?.code), subcode: readInteger(error?.error_subcode) };
  return {
    wamid: id,
    status,
    opaque: typeof opaque === "string" ? opaque : null,
    userId: typeof userId === "string" && userId !== "" && userId.length <= 512 ? userId : null,
    waId: readWaId(fields.recipient_id),
    atMs: readTime(fields.timestamp),
    code: pickDecisiveCode(codes),
    isBillable: pricing.billable !== false,
    category: typeof pricing.category === "string" ? pricing.category : null,
  };
}
