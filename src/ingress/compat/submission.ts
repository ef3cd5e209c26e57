/** Submits a request of either protocol (by src/domain/submission/submit.ts): one batch, its text literal, answered once. */

import type { Settings } from "../../config/live-config.ts";
import { assert } from "../../core/assert.ts";
import type { Clock } from "../../core/clock.ts";
import type { Xof } from "../../core/money.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import type { CompatUser } from "../../domain/accounts/compat-users.ts";
import { findPrice } from "../../domain/accounts/prices.ts";
import type { AcceptedBatch } from "../../domain/submission/commit-batch.ts";
import {
  composeKey,
  type IdempotencyKey,
  lastReply,
  type StoredReply,
} from "../../domain/submission/idempotency.ts";
import { normaliseNumber } from "../../domain/submission/phone-numbers.ts";
import { NumberOwners } from "../../domain/submission/ported-numbers.ts";
import {
  type BatchRequest,
  type IntakeOutcome,
  readLiteralRequest,
} from "../../domain/submission/request.ts";
import type { SubmissionAnswer, Submit } from "../../domain/submission/submit.ts";
import { applyTextPolicy } from "../../text/rewrite.ts";
import { normalizeText } from "../../text/segments.ts";
import type { CompatAuth } from "./auth.ts";
import type { Callbacks } from "./callbacks.ts";

/** How long the same text to the same numbers is answered as the first (docs/behaviour.md#repetitions-without-a-key). */
const SAME_MS = 600_000;

/** Below the keys of API keys, which are above 0, and those of administrators, which are minus the id of an account. */
const KEYS_BELOW = -1_000_000_000_000;

/** A request to send, in either protocol. */
export type Wanted = {
  readonly protocol: "kannel" | "jasmin";
  readonly sender: string;
  readonly text: string;
  readonly receivers: readonly string[];
  /** ISO 8601; null for at once. */
  readonly scheduledAt: string | null;
  /** That time as the client wrote it: a time relative to now stays the same when the request is repeated; null for at once. */
  readonly askedTime: string | null;
};

function requestFor(user: CompatUser, { sender, text, receivers, scheduledAt }: Wanted) {
  return readLiteralRequest({ sender, text, receivers, scheduledAt, messageClass: user.messageClass });
}

type Submission = {
  readonly user: CompatUser;
  readonly wanted: Wanted;
  /** The answer for a batch; anything it writes in `tx` is committed with the batch. */
  readonly replyTo: (batch: AcceptedBatch, tx: Tx) => StoredReply;
};

/** Submits, or finds the answer to the same request of a short while ago. */
export function compatSubmit({
  store,
  clock,
  submit,
}: {
  readonly store: Pick<Store, "read">;
  readonly clock: Clock;
  readonly submit: Submit;
}): (submission: Submission) => Promise<SubmissionAnswer> {
  const underWay = new Map<string, Promise<SubmissionAnswer>>();
  return ({ user, wanted, replyTo }) => {
    const apiKeyId = KEYS_BELOW - user.id;
    const bodyDigest = digestOf(wanted);
    const name = bodyDigest.toString("hex");
    const sameNow = underWay.get(`${apiKeyId} ${name}`);
    if (sameNow !== undefined) return sameNow;
    const nowMs = clock.nowMs();
    const before = lastReply(store.read, apiKeyId, name, nowMs - SAME_MS);
    // A request that was refused then may be accepted now.
    if (before && before.status < 300) return Promise.resolve({ kind: "repeated", reply: before });
    const key: IdempotencyKey = { apiKeyId, text: composeKey(name, nowMs), bodyDigest };
    const request: IntakeOutcome<BatchRequest> = requestFor(user, wanted);
    const answer = submit({ accountId: user.accountId, key, request, replyTo });
    underWay.set(`${apiKeyId} ${name}`, answer);
    const forget = () => underWay.delete(`${apiKeyId} ${name}`);
    answer.then(forget, forget);
    return answer;
  };
}

function digestOf({ protocol, text, receivers, askedTime }: Wanted): Buffer {
  const numbers = receivers.map((receiver) => receiver.replace(/[^\d+]/g, "")).sort();
  const same = [protocol, text, numbers, ...(askedTime === null ? [] : [askedTime])];
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(same)).digest();
}

// What a text to a number costs by route and price alone, as Jasmin tells rates: balance, hours, senders and repetitions do not matter.

/** The price of a segment, and how many the text takes as it would be sent. */
type Rate = { readonly price: Xof; readonly segments: number };

/** Null for a number that no operator with a price for the user's class owns. */
type RateOf = (user: CompatUser, receiver: string, text: string) => Rate | null;

/** Reads prices as they are in force now; one for a process. */
export function createRateQuery({
  settings,
  store,
}: {
  readonly settings: Settings;
  readonly store: Pick<Store, "read">;
}): RateOf {
  const owners = new NumberOwners(() => settings.now().operators, store.read);
  return ({ accountId, messageClass }, receiver, text) => {
    const { defaults, operators } = settings.now();
    const number = normaliseNumber(receiver, defaults.region, owners.now());
    if (number.kind !== "routable") return null;
    const { operator } = number;
    const price = findPrice(store.read, accountId, operator, messageClass, operators[operator]?.price);
    if (price === null) return null;
    const account = accountById(store.read, accountId);
    assert(account, "a user of these doors is an account's");
    const { segments } = applyTextPolicy(normalizeText(text), account.textRules.textPolicy).weight;
    return { price, segments };
  };
}

/** What both interfaces are built on. */
export type CompatDoorDeps = {
  readonly settings: Settings;
  readonly store: Pick<Store, "read">;
  readonly clock: Clock;
  readonly gate: CompatAuth;
  readonly submit: ReturnType<typeof compatSubmit>;
  readonly rateOf: RateOf;
  readonly callbacks: Pick<Callbacks, "wake">;
  /** Whether a message could be sent at this moment. */
  readonly isLinkUp: () => boolean;
};
