/**
 * Applies what the feed of another Bendre says of our messages: its SENT is the acceptance of all segments, its DELIVERED or FAILED their
 * receipt, and what it never sent is a refusal that came late. The cursor moves in the transaction of the facts, so that each page counts
 * once whatever crashes; a page that comes again changes nothing.
 */
import { bringsReceipts, type OperatorConfig } from "../../config/config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { toWaitFact } from "../../dispatch/attempt.ts";
import type { Leases } from "../../dispatch/leases.ts";
import type { Recorder } from "../../dispatch/recorder.ts";
import type { FactSession } from "../../domain/messages/apply-facts.ts";
import { readBatchProgress } from "../../domain/messages/batch-totals.ts";
import type { ReceiptVerdict } from "../../domain/messages/facts.ts";
import { findRowId } from "../../domain/messages/id-ranges.ts";
import type { MessageErrorCode } from "../../domain/messages/message-status.ts";
import { resolveOperatorCode } from "../../domain/messages/operator-codes.ts";
import { isOfSecond } from "../../domain/messages/second-sms.ts";
import { type PostedMessage, readPostedMessage } from "../../domain/messages/segments.ts";
import {
  type AttemptRules,
  type OnAccepted,
  recordSecondOver,
  settleUnknownOutcome,
} from "./attempt-result.ts";
import type { FeedNews } from "./partner-api.ts";
import {
  type FeedReader,
  findPost,
  movePost,
  oldestOpenPost,
  parseKey,
  readFeedCursor,
  type StoredPost,
  saveFeedCursor,
} from "./partner-posts.ts";
import { errorOfReason, reasonNumber } from "./partner-reasons.ts";
import { canonicalId } from "./receipt-keys.ts";
import { bookCost, NO_ACCOUNT, type RouteCosts } from "./route-costs.ts";
import { POST_PARAMETERS, resolveByPartner } from "./sent-segments.ts";
import { recordAccepted, recordRefused } from "./submit-results.ts";
import { applyTestStatus, isTestAccepted } from "./test-messages.ts";

type PartnerFeedDeps = {
  readonly code: string;
  readonly operator: () => Pick<OperatorConfig, "receipts" | "routes">;
  readonly read: Reader;
  readonly recorder: Pick<Recorder, "record">;
  readonly leases: Pick<Leases, "has">;
  readonly costs: RouteCosts;
  readonly onAccepted: OnAccepted;
  readonly rules: () => AttemptRules;
  readonly clock: Clock;
};

/** What is behind an instant of ours is asked for again: the clocks of two appliances differ. */
const OVERLAP_MS = 300_000;

/** The feed of one connection to another Bendre. */
export class PartnerFeed {
  private cursor: string | null = null;

  /** `feed`: the address of the API; `route`: that of the connection at this moment. */
  constructor(
    private readonly deps: PartnerFeedDeps,
    private readonly reader: FeedReader,
    private readonly feed: () => string,
    private readonly route: () => string,
  ) {}

  /** What the feed is asked with: where the last page ended, or, before the first, the oldest post that it may tell of. */
  readonly since = (): string => {
    const { read, clock } = this.deps;
    this.cursor ??= readFeedCursor(read, this.reader);
    const fromMs = (oldestOpenPost(read, this.feed()) ?? clock.nowMs()) - OVERLAP_MS;
    return this.cursor ?? new Date(fromMs).toISOString();
  };

  /** Writes down a page up to the first message whose post is being answered at this moment; resolves with where to go on. */
  readonly take = async (news: readonly FeedNews[], next: string): Promise<string> => {
    const { recorder } = this.deps;
    const at = news.findIndex((one) => this.isBeingPosted(one));
    const [some, cursor] = at < 0 ? [news, next] : [news.slice(0, at), news[at]?.changedAt ?? next];
    if (some.length > 0 || cursor !== this.cursor) {
      await recorder.record((tx, facts) => {
        for (const one of some) this.apply(tx, facts, one);
        saveFeedCursor(tx, this.reader, cursor);
      });
    }
    this.cursor = cursor;
    return cursor;
  };

  /** Its own answer is written first: what the feed says comes behind it. */
  private isBeingPosted({ key }: FeedNews): boolean {
    const { read, leases } = this.deps;
    const found = this.find(read, key);
    return found !== null && found.post.state === "POSTED" && leases.has(found.post.messageId);
  }

  private find(
    read: Reader,
    key: string,
  ): { readonly post: StoredPost; readonly message: PostedMessage } | null {
    const parsed = parseKey(key);
    const messageId = parsed === null ? null : findRowId(read, parsed.ulid);
    if (parsed === null || messageId === null) return null;
    const post = findPost(read, messageId, this.feed());
    const message = readPostedMessage(read, messageId);
    if (post === null || post.n !== parsed.n || message === null || !this.isOwn(read, message)) return null;
    return { post, message };
  }

  /** Also what was posted before the operator was given another code. */
  private isOwn(read: Reader, { operator }: PostedMessage): boolean {
    const { code } = this.deps;
    return operator === code || resolveOperatorCode(read, operator) === code;
  }

  private apply(tx: Tx, facts: FactSession, news: FeedNews): void {
    const found = this.find(tx, news.key);
    if (found === null) {
      this.applyToTest(tx, facts, news);
      return;
    }
    const { post, message } = found;
    if (post.state === "ENDED") return;
    switch (news.kind) {
      case "waiting":
        if (post.state === "POSTED") this.settle(tx, post, "TAKEN");
        return;
      case "sent":
        this.accept(tx, facts, found, news);
        return;
      case "delivered":
        this.accept(tx, facts, found, news);
        this.receipt(tx, facts, found, news.remoteId, { kind: "delivered" }, "DELIVERED");
        return;
      case "failed": {
        const error = { code: receiptError(news.error), operatorCode: null };
        this.accept(tx, facts, found, news);
        this.receipt(tx, facts, found, news.remoteId, { kind: "failed", error }, news.error);
        return;
      }
      case "given_up":
        if (post.state !== "SENT") this.refuse(tx, facts, post, message, news);
    }
  }

  /** No outcome of the post is unknown any more. */
  private settle(tx: Tx, post: StoredPost, state: StoredPost["state"]): void {
    if (post.state === "POSTED") resolveByPartner(tx, post.messageId, post.attempt);
    movePost(tx, post, state);
  }

  private accept(
    tx: Tx,
    facts: FactSession,
    { post, message }: { readonly post: StoredPost; readonly message: PostedMessage },
    news: FeedNews,
  ): void {
    if (post.state === "SENT") return;
    const { operator, costs, code, clock, onAccepted } = this.deps;
    const { messageId } = post;
    const parts = Array.from({ length: message.segments }, (_, index) => index + 1);
    const cost = costs.now(post.route);
    const { accountId, messageClass } = readBatchProgress(tx, message.batchId);
    this.settle(tx, post, "SENT");
    const applied = recordAccepted(tx, facts, {
      messageId,
      parts,
      operator: code,
      remoteId: news.remoteId,
      receipts: bringsReceipts(operator(), post.route) && !(news.kind === "sent" && news.isFinal),
      sentSegment: toSentSegment(post),
      cost: cost && { ...cost, accountId, messageClass, mayBeBooked: true },
    });
    if (isOfSecond(tx, messageId, post.attempt)) recordSecondOver(tx, facts, messageId);
    else if (applied) onAccepted(tx, applied, { messageClass, route: post.route });
    const dueMs = settleUnknownOutcome(tx, facts, messageId, null, null, clock.nowMs())?.dueMs ?? null;
    if (dueMs !== null) facts.queuedAgain.add(message.batchId);
  }

  private receipt(
    tx: Tx,
    facts: FactSession,
    { post, message }: { readonly post: StoredPost; readonly message: PostedMessage },
    remoteId: string,
    verdict: ReceiptVerdict,
    state: string,
  ): void {
    const raw = { state, code: null, connection: post.connection, sequence: null };
    const remoteKey = canonicalId(remoteId);
    for (let part = 1; part <= message.segments; part++)
      facts.apply({ kind: "receipt", messageId: post.messageId, part, remoteKey, verdict, raw });
    movePost(tx, post, "ENDED");
  }

  /** It took the message, and never sent it. */
  private refuse(
    tx: Tx,
    facts: FactSession,
    post: StoredPost,
    message: PostedMessage,
    { reason, isUnknown }: Extract<FeedNews, { kind: "given_up" }>,
  ): void {
    const { code: operator, clock, leases, rules } = this.deps;
    const { messageId, attempt: number, route } = post;
    const nowMs = clock.nowMs();
    // A claim that a process left behind, which is not recovered yet: its outcome is known by now.
    if (!leases.has(messageId)) facts.apply(toWaitFact(messageId, rules().policy, nowMs));
    this.settle(tx, post, "ENDED");
    const parts = Array.from({ length: message.segments }, (_, index) => index + 1);
    const sent = { messageId, msisdn: message.msisdn, parts, operator, sentSegment: toSentSegment(post) };
    recordRefused(tx, sent, { kind: "refused", commandStatus: reasonNumber(reason), isLate: false }, nowMs);
    if (isOfSecond(tx, messageId, number)) {
      recordSecondOver(tx, facts, messageId);
      return;
    }
    const error = isUnknown
      ? { code: "SUBMIT_OUTCOME_UNKNOWN" as const, operatorCode: null }
      : { code: errorOfReason(reason), operatorCode: reason };
    const { messageClass, accountId } = readBatchProgress(tx, message.batchId);
    const { sender, routesTried } = message;
    const attempt = { messageId, number, route, messageClass, accountId, sender, routesTried };
    const again = settleUnknownOutcome(
      tx,
      facts,
      messageId,
      { kind: "refused", error },
      isUnknown ? null : { attempt, rerouting: rules().rerouting },
      nowMs,
    );
    if (again !== null) facts.queuedAgain.add(message.batchId);
  }

  private applyToTest(tx: Tx, facts: FactSession, news: FeedNews): void {
    const { costs, clock, code } = this.deps;
    const ulid = parseKey(news.key)?.ulid;
    if (ulid === undefined || news.kind === "waiting" || news.kind === "given_up") return;
    const wasAccepted = isTestAccepted(tx, ulid);
    const verdict: ReceiptVerdict =
      news.kind === "delivered"
        ? { kind: "delivered" }
        : news.kind === "failed"
          ? { kind: "failed", error: { code: receiptError(news.error), operatorCode: null } }
          : { kind: "pending", rawState: "SENT" };
    const rawState = news.kind === "failed" ? news.error : news.kind.toUpperCase();
    const { remoteId } = news;
    const told = { ulid, remoteId, verdict, rawState, operatorCode: null, atMs: clock.nowMs() };
    if (wasAccepted === null || !applyTestStatus(tx, told) || wasAccepted) return;
    const cost = costs.now(this.route());
    const one = { operator: code, accountId: NO_ACCOUNT, messageClass: "TRANSACTIONAL", segments: 1 };
    if (cost !== null) bookCost(tx, facts, { ...cost, ...one });
  }
}

/** How it left, as submits are kept. */
function toSentSegment({ attempt, connection, postedAt, account, route }: StoredPost) {
  return {
    attempt,
    connection,
    sequence: 0,
    writtenAtMs: postedAt,
    pduParameters: POST_PARAMETERS,
    account,
    route,
  };
}

/** What a receipt says of a message that was sent: without one in time nobody knows more than that it did not arrive. */
function receiptError(code: MessageErrorCode): MessageErrorCode {
  return code === "RECEIPT_NOT_RECEIVED" ? "UNDELIVERABLE" : code;
}
