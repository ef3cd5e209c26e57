/**
 * One customer's session over its socket, from the connection to its end: reads within the window and the user's throughput, answers
 * after the commit, delivers while the client takes what is written, and cuts a client that does not. What the protocol demands is
 * decided by the session of smpp/smsc-session.ts; who may bind and what becomes of a submit, by the owner (server.ts).
 */
import { assert } from "../../core/assert.ts";
import type { Cancel, Clock } from "../../core/clock.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { SmppUser } from "../../domain/accounts/smpp-users.ts";
import type { AcceptedEvents, AcceptedSocket } from "../../smpp/listen.ts";
import { createSessionTimer, type SessionTimer } from "../../smpp/liveness.ts";
import { type BindKind, type Decoded, decodePdu, type RefusalTlvs } from "../../smpp/pdu.ts";
import type { ShortMessage } from "../../smpp/short-message.ts";
import {
  type BindRequest,
  canDeliver,
  createSmscSession,
  maySubmit,
  type OperationCommand,
  type OperationResponse,
  refuseOperation,
  type SmscInput,
  type SmscOutput,
  type SmscSession,
  type SmscSessionSettings,
  type SubmitCommand,
  smscDeadlineMs,
  stepSmsc,
} from "../../smpp/smsc-session.ts";
import { type SocketReader, socketReader } from "../../smpp/socket-reader.ts";
import { type SocketWriter, socketWriter } from "../../smpp/socket-writer.ts";
import { STATUS } from "../../smpp/status.ts";
import type { MessageOperation } from "../../smpp/wire-format.ts";
import type { BindVerdict } from "./binds.ts";
import { REFUSALS, type SmppRefusal, toSentence } from "./refusals.ts";

/** What came of a submit, or of an operation on a message. */
export type SubmitResult =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly reason: SmppRefusal; readonly sentence: string };

/** What a user's sessions share. */
export type BoundUser = {
  /** As it is now. */
  readonly now: () => SmppUser;
  /** Takes a token of the user's throughput; false: there is none. */
  readonly takeToken: () => boolean;
  /** Milliseconds until there is a token. */
  readonly waitMs: () => number;
};

export type SessionOwner = {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: () => SmscSessionSettings;
  /** Why no submit is taken at this moment, whatever it is; null: it is read. */
  readonly closed: () => SmppRefusal | null;
  /** Judges a bind, and counts the session as bound where it is admitted. */
  readonly judge: (session: CustomerSession, bind: BindRequest) => Promise<BindVerdict>;
  readonly toBoundUser: (user: SmppUser) => BoundUser;
  readonly bound: (session: CustomerSession) => void;
  readonly submit: (session: CustomerSession, message: ShortMessage) => Promise<SubmitResult>;
  readonly operate: (
    session: CustomerSession,
    command: OperationCommand,
    sequence: number,
    operation: MessageOperation,
  ) => Promise<OperationResponse>;
  /** A submit of the user is answered now. */
  readonly answered: (user: SmppUser, result: SubmitResult) => void;
  /** An operation was refused, by the session or by what became of it. */
  readonly refused: (user: SmppUser, reason: SmppRefusal) => void;
  /**
   * The client answered a deliver_sm, in time or when it had been given up (`isLate`); null: it did not in time, or the session ended
   * before.
   */
  readonly delivered: (session: CustomerSession, ref: number, status: number | null, isLate: boolean) => void;
  /** It can take more deliver_sm. */
  readonly hasRoom: (session: CustomerSession) => void;
  readonly ended: (session: CustomerSession) => void;
};

const OUR_NAME = "BENDRE";
/** What we speak; 5.0 is answered as 3.4. */
const VERSION = 0x34;
/** The longest PDU: above the 65,535 octets of a message_payload, with all else that a submit has. */
const MAX_FRAME = 70_000;
/** A refused bind is answered so long after it came, whatever the reason. */
const REFUSAL_MS = 1_000;
/** What was read and waits longer for a token is refused. */
const MAX_TOKEN_WAIT_MS = 2_000;
/** Octets that are written ahead of a client, answers to what it submitted counted in; and how long it may take none of them. */
const MAX_WRITTEN = 65_536;
const STALLED_MS = 60_000;
/** What an answer takes at most, without and with our reason behind it. */
const ANSWER_OCTETS = 64;
const REASONED_ANSWER_OCTETS = 384;
/** Receipts are written only while so little waits: answers come first. */
const MAX_AHEAD_OF_RECEIPTS = 8_192;
/** How long a closed session may take to let its last octets go. */
const LINGER_MS = 1_000;
const METERED: ReadonlySet<string> = new Set(["submit_sm", "data_sm", "query_sm", "cancel_sm"]);

/** A PDU that was read and waits: for a token since it came, or for answers that are due before it. */
type Held = { readonly decoded: Decoded; readonly frameOctets: number; readonly cameAtMs: number };

export class CustomerSession implements AcceptedEvents {
  readonly connectedAtMs: number;
  boundAtMs: number | null = null;
  /** Submits read and unanswered. */
  unanswered = 0;
  private operations = 0;
  /** Until it ends, from either side: after that nothing is read or written. */
  isOpen = true;
  /** Set by the owner while it looks whether the client still lives. */
  isProbed = false;
  private user: BoundUser | null = null;
  private readonly session: SmscSession;
  private readonly time: SessionTimer;
  private readonly reader: SocketReader;
  private readonly writer: SocketWriter;
  private held: Held | null = null;
  private readonly holds = new Set<"turn" | "writes">();
  /** When the octets came up to which place of the stream; and how many were read. */
  private readonly arrivals: { readonly end: number; readonly atMs: number }[] = [];
  private arrived = 0;
  private consumed = 0;
  /** Why the PDU under way is refused without being looked at. */
  private verdict: SmppRefusal | null = null;
  private isEnding = false;
  private takenAtMs: number;
  private readonly rates: [second: number, count: number, before: number] = [0, 0, 0];
  private cancelStall: Cancel | null = null;
  private cancelTurn: Cancel = () => {};
  private cancelRefusal: Cancel = () => {};
  private cancelLinger: Cancel = () => {};

  constructor(
    /** Rises over restarts, so that no two sessions ever have the same. */
    readonly serial: number,
    private readonly socket: AcceptedSocket,
    readonly isTls: boolean,
    private readonly owner: SessionOwner,
  ) {
    const { clock } = owner;
    this.connectedAtMs = clock.nowMs();
    this.takenAtMs = clock.steadyMs();
    this.time = createSessionTimer(clock, () => this.guarded(() => this.tick()));
    this.session = createSmscSession(owner.settings);
    this.writer = socketWriter({ write: (octets) => this.writeOut(octets) }, () => this.allWritten());
    this.reader = socketReader({
      clock,
      frame: (frame) => this.frame(frame),
      fault: () => this.lostTrack(),
      pause: () => {
        this.socket.pause();
        this.time.slow();
      },
      resume: () => {
        this.time.normal();
        this.socket.resume();
      },
      guarded: (work) => this.guarded(work),
      maxFrame: MAX_FRAME,
    });
    this.run({ kind: "connected" });
  }

  /** As administrators name it. */
  get id(): string {
    return this.serial.toString(36);
  }

  get peer(): string {
    return this.socket.peer;
  }

  /** The user, once bound; null before. */
  get boundUser(): SmppUser | null {
    return this.user?.now() ?? null;
  }

  get bind(): BindKind | null {
    return this.user === null ? null : (this.session.bind?.kind ?? null);
  }

  get version(): number {
    return this.session.bind?.fields.interfaceVersion ?? 0;
  }

  /** Whether the client knows optional parameters (SMPP 3.4 section 2.10). */
  get hasTlvs(): boolean {
    return this.version >= VERSION;
  }

  /** Submits of the last whole second. */
  get rate(): number {
    this.countSubmit(0);
    return this.rates[2];
  }

  get heardAtMs(): number {
    return this.session.heardAtMs;
  }

  get nowMs(): number {
    return this.time.nowMs();
  }

  data(chunk: Uint8Array): void {
    if (!this.isOpen) return;
    this.arrived += chunk.length;
    this.arrivals.push({ end: this.arrived, atMs: this.owner.clock.steadyMs() });
    this.guarded(() => this.reader.take(chunk));
  }

  drain(): void {
    this.guarded(() => this.writer.flush());
  }

  closed(): void {
    this.end();
    this.cancelLinger();
    this.guarded(() => {
      for (const output of stepSmsc(this.session, { kind: "closed" }, this.time.nowMs()))
        this.perform(output);
    });
    this.owner.ended(this);
    this.user = null;
  }

  /** Looks again when something is due: the settings are others now. */
  settingsChanged(): void {
    this.guarded(() => this.tick());
  }

  /** Asks the client for a sign of life now. */
  probe(): void {
    this.run({ kind: "enquire" });
  }

  /** Ends it without a word. */
  cut(): void {
    this.end();
    this.socket.terminate();
  }

  /** Asks a bound client to leave, and closes once it has, or soon; another one is closed. */
  unbind(graceMs: number): void {
    if (this.user === null) {
      this.cut();
      return;
    }
    if (!this.isOpen || this.session.state === "UNBINDING") return;
    this.run({ kind: "unbind" });
    this.cancelLinger = this.owner.clock.after(graceMs, () => this.leave());
  }

  /** How many more deliver_sm it takes now. */
  deliverySlots(window: number): number {
    const mayWrite = this.writer.queue.octets() <= MAX_AHEAD_OF_RECEIPTS;
    if (!this.isOpen || !canDeliver(this.session) || !mayWrite) return 0;
    return Math.max(0, window - this.session.deliveries.count() - this.session.deliveries.held());
  }

  get inFlight(): number {
    return this.session.deliveries.count();
  }

  deliver(ref: number, message: ShortMessage): void {
    this.run({ kind: "deliver", command: "deliver_sm", ref, message });
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.owner.log.error("a session of a customer failed", { peer: this.peer, ...errorFields(error) });
      this.cut();
    }
  }

  private frame(frame: Uint8Array): void {
    this.consumed += frame.length;
    while (this.arrivals[1] && (this.arrivals[0]?.end ?? 0) < this.consumed) this.arrivals.shift();
    const cameAtMs = this.arrivals[0]?.atMs ?? this.owner.clock.steadyMs();
    this.take({ decoded: decodePdu(frame), frameOctets: frame.length, cameAtMs });
  }

  /** Takes a PDU, or holds it, and all behind it, until its turn. */
  private take(held: Held): void {
    if (!this.isOpen) return;
    const { decoded, cameAtMs } = held;
    const command = decoded.ok ? decoded.pdu.command : null;
    this.verdict = null;
    if (command === "unbind" && this.unanswered + this.operations > 0) {
      this.hold(held);
      return;
    }
    if (command !== null && METERED.has(command) && maySubmit(this.session) && this.user !== null) {
      const isSubmit = command === "submit_sm" || command === "data_sm";
      if (isSubmit && this.unanswered >= this.user.now().window) this.verdict = "WINDOW_EXCEEDED";
      else if (!this.user.takeToken()) {
        if (this.owner.clock.steadyMs() - cameAtMs < MAX_TOKEN_WAIT_MS) {
          this.hold(held);
          this.cancelTurn = this.owner.clock.after(this.user.waitMs(), () => this.takeHeld());
          return;
        }
        this.verdict = "THROUGHPUT_EXCEEDED";
      }
      if (isSubmit) this.countSubmit(1);
    }
    this.run({ kind: "received", decoded });
  }

  private hold(held: Held): void {
    this.held = held;
    this.setHold("turn", true);
  }

  private takeHeld(): void {
    const { held } = this;
    if (held === null || !this.isOpen) return;
    this.cancelTurn();
    this.held = null;
    this.guarded(() => {
      this.take(held);
      if (this.held === null) this.setHold("turn", false);
    });
  }

  private setHold(reason: "turn" | "writes", isHeld: boolean): void {
    if (isHeld) this.holds.add(reason);
    else this.holds.delete(reason);
    if (this.holds.size > 0) this.reader.hold();
    else this.reader.release();
  }

  private tick(): void {
    if (this.isOpen) this.run({ kind: "tick" });
  }

  private run(input: SmscInput): void {
    if (!this.isOpen) return;
    for (const output of stepSmsc(this.session, input, this.time.nowMs())) this.perform(output);
    if (this.isOpen) this.time.wakeBy(smscDeadlineMs(this.session));
    this.noteWritten();
  }

  private perform(output: SmscOutput): void {
    switch (output.kind) {
      case "write":
        this.writer.write(output.pdu, null);
        return;
      case "close":
        this.leave();
        return;
      case "bind_asked":
        this.answerBind(output.bind);
        return;
      case "bound":
        this.owner.bound(this);
        return;
      case "submit":
        this.submit(output.command, output.sequence, output.message);
        return;
      case "operation":
        this.operate(output.command, output.sequence, output.operation);
        return;
      case "delivered":
        this.owner.delivered(this, output.ref, output.status, output.late);
        this.owner.hasRoom(this);
        return;
      case "timed_out":
      case "lost":
        for (const ref of output.refs) this.owner.delivered(this, ref, null, false);
        return;
      // Answered by the session already.
      case "bind_refused":
      case "misplaced_submit":
      case "unexpected":
        return;
    }
  }

  private answerBind(bind: BindRequest): void {
    const cameAtMs = this.owner.clock.steadyMs();
    const answer = (status: number): void =>
      this.guarded(() =>
        this.run({ kind: "bind_answer", status, systemId: OUR_NAME, scInterfaceVersion: VERSION }),
      );
    const refuse = (): void => {
      const waitMs = Math.max(0, cameAtMs + REFUSAL_MS - this.owner.clock.steadyMs());
      this.cancelRefusal = this.owner.clock.after(waitMs, () => answer(STATUS.RBINDFAIL));
    };
    this.owner.judge(this, bind).then(
      (verdict) => {
        if (!verdict.ok) refuse();
        else if (this.isOpen) {
          this.user = this.owner.toBoundUser(verdict.user);
          this.boundAtMs = this.owner.clock.nowMs();
          answer(STATUS.ROK);
        }
      },
      (error: unknown) => {
        this.owner.log.error("a bind could not be judged", { peer: this.peer, ...errorFields(error) });
        refuse();
      },
    );
  }

  private submit(command: SubmitCommand, sequence: number, message: ShortMessage): void {
    // Whoever is asked to leave may no longer be there.
    const isLeaving = this.session.state === "UNBINDING";
    const verdict = this.verdict ?? (isLeaving ? "STOPPING" : this.owner.closed());
    const { user } = this;
    assert(user !== null, "who submits is bound");
    const answer = (result: SubmitResult): void => {
      this.owner.answered(user.now(), result);
      this.answer(command, sequence, result);
    };
    if (verdict !== null) {
      answer({ ok: false, reason: verdict, sentence: toSentence(verdict) });
      return;
    }
    this.unanswered += 1;
    const ended = (result: SubmitResult): void => {
      this.unanswered -= 1;
      this.guarded(() => {
        answer(result);
        this.settled();
      });
    };
    this.owner.submit(this, message).then(ended, (error: unknown) => {
      this.owner.log.error("a submit of a customer failed", { ...errorFields(error) });
      ended({ ok: false, reason: "INTERNAL_ERROR", sentence: toSentence("INTERNAL_ERROR") });
    });
  }

  private answer(to: SubmitCommand, sequence: number, result: SubmitResult): void {
    if (result.ok) {
      this.run({ kind: "answer", to, sequence, status: STATUS.ROK, messageId: result.id });
      return;
    }
    const { reason, sentence } = result;
    const status = REFUSALS[reason];
    const isReasoned = this.hasTlvs && this.user?.now().reasons === true;
    const why: RefusalTlvs = { reason, sentence };
    if (isReasoned) this.run({ kind: "answer", to, sequence, status, messageId: "", why });
    else this.run({ kind: "answer", to, sequence, status, messageId: null });
  }

  private operate(command: OperationCommand, sequence: number, operation: MessageOperation): void {
    const respond = (response: OperationResponse): void =>
      this.guarded(() => this.run({ kind: "answer_operation", response }));
    const { user } = this;
    assert(user !== null, "who asks is bound");
    const refuse = (reason: SmppRefusal): void => {
      this.owner.refused(user.now(), reason);
      respond(refuseOperation(command, sequence, REFUSALS[reason]));
    };
    if (this.verdict !== null) {
      refuse(this.verdict);
      return;
    }
    this.operations += 1;
    const settle = (): void => {
      this.operations -= 1;
      this.settled();
    };
    this.owner
      .operate(this, command, sequence, operation)
      .then(respond, (error: unknown) => {
        this.owner.log.error("an operation of a customer failed", { ...errorFields(error) });
        refuse("INTERNAL_ERROR");
      })
      .finally(settle);
  }

  /** Goes on with an unbind that waited until all that came before it was answered. */
  private settled(): void {
    this.noteWritten();
    if (this.unanswered + this.operations === 0) this.takeHeld();
  }

  private countSubmit(count: 0 | 1): void {
    const second = Math.floor(this.owner.clock.steadyMs() / 1000);
    if (second !== this.rates[0]) {
      this.rates[2] = second === this.rates[0] + 1 ? this.rates[1] : 0;
      this.rates[0] = second;
      this.rates[1] = 0;
    }
    this.rates[1] += count;
  }

  private writeOut(octets: Uint8Array): number {
    const count = this.socket.write(octets);
    if (count > 0) this.takenAtMs = this.owner.clock.steadyMs();
    return count;
  }

  /** Reads no further while the answers that are due would be too much for a client that does not read. */
  private noteWritten(): void {
    if (!this.isOpen) return;
    const waiting = this.writer.queue.octets();
    const each = this.user?.now().reasons === true ? REASONED_ANSWER_OCTETS : ANSWER_OCTETS;
    const due = this.unanswered + this.operations;
    // One more must have room too.
    this.setHold("writes", waiting + (due + 1) * each > MAX_WRITTEN);
    if (waiting > 0 && this.cancelStall === null) this.watchStall(STALLED_MS);
  }

  private allWritten(): void {
    if (this.isEnding) {
      this.socket.end();
      return;
    }
    this.noteWritten();
    if (this.isOpen && canDeliver(this.session)) this.owner.hasRoom(this);
  }

  private watchStall(inMs: number): void {
    this.cancelStall = this.owner.clock.after(inMs, () => {
      this.cancelStall = null;
      if (!this.isOpen || this.writer.queue.octets() === 0) return;
      const leftMs = this.takenAtMs + STALLED_MS - this.owner.clock.steadyMs();
      if (leftMs > 0) this.watchStall(leftMs);
      else {
        this.owner.log.warn("a customer's session took nothing and was cut", { peer: this.peer });
        this.cut();
      }
    });
  }

  /** The stream cannot be followed any further (SMPP 3.4 section 4.3.1: a PDU whose length is no length). */
  private lostTrack(): void {
    this.writer.write({ command: "generic_nack", sequence: 0, status: STATUS.RINVCMDLEN }, null);
    this.leave();
  }

  /** Closes it once everything is written. */
  private leave(): void {
    if (this.isEnding) return;
    this.end();
    this.isEnding = true;
    this.writer.flush();
    if (this.writer.queue.octets() === 0) this.socket.end();
    this.cancelLinger();
    this.cancelLinger = this.owner.clock.after(LINGER_MS, () => this.socket.terminate());
  }

  private end(): void {
    this.isOpen = false;
    this.time.stop();
    this.reader.stop();
    this.cancelTurn();
    this.cancelRefusal();
    this.cancelStall?.();
    this.cancelStall = null;
  }
}
