/**
 * The second SMS: an OTP that a route accepted, and of which nothing was heard for the route's `second_after_seconds`, leaves once more by
 * the next route that is able (docs/administration.md#a-second-sms). That it was begun is committed before it leaves, so that no crash leads
 * to a third; what a process left behind is of unknown outcome (`recoverSeconds` in submit-results.ts). Its message stays SENT meanwhile.
 */
import type { OperatorConfig } from "../../config/config.ts";
import type { Cancel, Clock } from "../../core/clock.ts";
import { getOwn } from "../../core/own-value.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { Candidate } from "../../dispatch/batch-scheduler.ts";
import type { Recorder } from "../../dispatch/recorder.ts";
import type { WorkerTools } from "../../dispatch/worker.ts";
import { findBar } from "../../domain/accounts/suppressions.ts";
import { noteRouted } from "../../domain/messages/rerouting.ts";
import {
  type AwaitedSecond,
  awaitSecond,
  beginSecond,
  endSecond,
  FIRST_DUE,
  listDueSeconds,
  nextSecondMs,
  readDueSecond,
} from "../../domain/messages/second-sms.ts";
import type { OnAccepted } from "./attempt-result.ts";
import type { OperatorSession } from "./operator-session.ts";

type SecondSmsDeps<Plan> = {
  readonly code: string;
  readonly operator: () => Pick<OperatorConfig, "routes">;
  readonly read: Reader;
  readonly recorder: Pick<Recorder, "enter">;
  readonly leases: WorkerTools["leases"];
  readonly clock: Clock;
  /** Nothing may leave for now. */
  readonly isHeld: () => boolean;
  readonly isStopping: () => boolean;
  /** A session that may carry an OTP by another route than one; null where none may now. */
  readonly findSession: (route: string, candidate: Candidate) => OperatorSession | null;
  /** Takes room of a session for a message, until `free`; `isBegun`: it leaves by that session. */
  readonly begin: (session: OperatorSession, candidate: Candidate) => void;
  readonly free: (session: OperatorSession, candidate: Candidate, isBegun: boolean) => void;
  /** Decides how it leaves by a session, and notes that, in the transaction that begins it. */
  readonly decide: (tx: Tx, session: OperatorSession, candidate: Candidate) => Plan;
  readonly send: (plan: Plan, candidate: Candidate) => void;
};

/** Due ones looked at together, and after what the next of them are: what no route may carry keeps no other waiting. */
const MAX_AT_ONCE = 50;
const NEXT_MS = 100;
/** While none may leave, or no other route is able, it is looked again after this. */
const RETRY_MS = 1000;

/** The second SMS of one operator. Nothing is looked up or timed while none of its routes has the rule and no message waits for one. */
export class SecondSmsSender<Plan> {
  private cancelTimer: Cancel = () => {};
  private nextMs: number | null = null;
  private after = FIRST_DUE;
  private readonly beginning = new Set<number>();

  constructor(private readonly deps: SecondSmsDeps<Plan>) {}

  /** Looks at once for what waits: since before the start, after a change of the rules, or since its second SMS did not leave after all. */
  start(): void {
    if (this.hasRule()) this.lookAt(this.deps.clock.nowMs());
  }

  stop(): void {
    this.cancelTimer();
  }

  /**
   * Notes, in the transaction of an acceptance, that its message waits for a second SMS: an OTP that has just become SENT, by a route with
   * the rule.
   */
  readonly accepted: OnAccepted = (tx, { from, to, isFinal, messageId }, { messageClass, route }) => {
    if (messageClass !== "OTP" || from === "SENT" || to !== "SENT" || isFinal) return;
    const seconds = getOwn(this.deps.operator().routes, route)?.second_after_seconds ?? 0;
    if (seconds === 0) return;
    const dueMs = this.deps.clock.nowMs() + seconds * 1000;
    awaitSecond(tx, { messageId, operator: this.deps.code, route, dueMs });
    tx.afterCommit(() => this.lookAt(dueMs));
  };

  private hasRule(): boolean {
    return Object.values(this.deps.operator().routes).some((route) => route.second_after_seconds > 0);
  }

  /** Has the timer run at an instant, unless it does before. */
  private lookAt(atMs: number): void {
    const { clock, isStopping } = this.deps;
    if (isStopping() || (this.nextMs !== null && this.nextMs <= atMs)) return;
    this.cancelTimer();
    this.nextMs = atMs;
    this.cancelTimer = clock.after(Math.max(1, atMs - clock.nowMs()), () => {
      this.nextMs = null;
      this.look();
    });
  }

  private look(): void {
    const { code, read, clock, isHeld, isStopping } = this.deps;
    if (isStopping()) return;
    const nowMs = clock.nowMs();
    const mayLeave = !isHeld() && clock.doubt() === null;
    const due = mayLeave ? listDueSeconds(read, code, nowMs, this.after, MAX_AT_ONCE) : [];
    for (const second of due) if (!this.beginning.has(second.messageId)) this.tryOne(second);
    const last = due.length === MAX_AT_ONCE ? due.at(-1) : undefined;
    this.after = last ?? FIRST_DUE;
    const next = nextSecondMs(read, code);
    if (next !== null) this.lookAt(Math.max(next, nowMs + (last ? NEXT_MS : RETRY_MS)));
  }

  private tryOne(second: AwaitedSecond): void {
    const { read, clock, operator, findSession } = this.deps;
    const rule = getOwn(operator().routes, second.route);
    const message = readDueSecond(read, second.messageId);
    const isOver = message === null || message.expiresAt <= clock.nowMs() || !rule?.second_after_seconds;
    if (isOver) {
      this.give(second.messageId);
      return;
    }
    const { messageId, attempts, msisdn, segments, text, ...batch } = message;
    const candidate: Candidate = {
      batch,
      message: { id: messageId, msisdn, segments, text, attempts, resends: 0, operatorCode: null },
    };
    const session = findSession(second.route, candidate);
    if (session !== null) this.begin(session, candidate, second.route);
  }

  private begin(session: OperatorSession, candidate: Candidate, route: string): void {
    const { recorder, leases, clock, isStopping, decide, send, begin, free } = this.deps;
    const { id: messageId, attempts, msisdn } = candidate.message;
    const { accountId } = candidate.batch;
    this.beginning.add(messageId);
    leases.acquire(messageId);
    begin(session, candidate);
    const apply = (tx: Tx): Plan | null => {
      if (isStopping()) return null;
      if (readDueSecond(tx, messageId) === null || findBar(tx, accountId, msisdn, "OTP") !== null) {
        endSecond(tx, messageId);
        return null;
      }
      const nowMs = clock.nowMs();
      beginSecond(tx, messageId, attempts + 1, nowMs);
      const plan = decide(tx, session, candidate);
      const next = session.config.route;
      noteRouted(tx, { messageId, attempt: attempts, route, why: "SILENT", atMs: nowMs, next });
      return plan;
    };
    recorder.enter(apply, (outcome) => {
      this.beginning.delete(messageId);
      const plan = outcome.status === "fulfilled" ? outcome.value : null;
      free(session, candidate, plan !== null);
      if (plan === null) leases.release(messageId);
      else send(plan, candidate);
    });
  }

  private give(messageId: number): void {
    this.beginning.add(messageId);
    const { recorder } = this.deps;
    recorder.enter(
      (tx) => endSecond(tx, messageId),
      () => this.beginning.delete(messageId),
    );
  }
}
