/**
 * A simulated operator: `bendre smsc`, the demo, and every test that sends something.
 *
 * This file holds the state of one SMSC: what its sessions share. The protocol is `smpp/smsc-session`; `session` is one client's
 * session, `submit` accepts or refuses messages, `outcome` decides what becomes of them, `handset` joins texts, `message-life` makes
 * receipts, and `quirks` is what real operators do wrong. It knows nothing of the appliance: no queue, no receipt matching, no
 * configuration.
 */
import type { Chance } from "../core/chance.ts";
import type { Cancel, Clock } from "../core/clock.ts";
import type { Phrase } from "../i18n/phrase.ts";
import type { ShortMessage } from "../smpp/short-message.ts";
import { STATUS } from "../smpp/status.ts";
import type { DefaultAlphabet } from "../text/gsm-alphabet.ts";
import { countBroken, createSmscCounters, type SmscCounters, type SmscEvent } from "./events.ts";
import { type HandsetPart, Handsets } from "./handset.ts";
import { Mailbox, type Receiver } from "./mailbox.ts";
import { type IdQuirks, type MessageId, messageIds } from "./message-ids.ts";
import type { ReceiptStat } from "./message-states.ts";
import type { Quirks } from "./quirks.ts";
import { createSegmentationCheck, type SegmentationCheck } from "./strict-checks.ts";
import { Throttle } from "./throttle.ts";

/** An event without its time, which is the time it is emitted. Distributes over the union. */
type Untimed<E> = E extends SmscEvent ? Omit<E, "atMs"> : never;

type SmscOptions = {
  readonly clock: Clock;
  readonly chance: Chance;
  /** From the next submit_sm on. */
  quirks: Quirks;
  /** Empty: anybody. */
  readonly users: readonly User[];
  readonly defaultAlphabet: DefaultAlphabet;
  /** Refuses whatever breaks a rule of the protocol; else only what it cannot use. */
  readonly isStrict: boolean;
  readonly onEvent: (event: SmscEvent) => void;
};

/** What all sessions share: users, quirks, mailboxes, handsets, counts. */
export class SmscState {
  readonly clock: Clock;
  readonly chance: Chance;
  /** From the next submit_sm on. */
  quirks: Quirks;
  readonly defaultAlphabet: DefaultAlphabet;
  /** Refuses whatever breaks a rule of the protocol; else only what it cannot use. */
  readonly isStrict: boolean;
  readonly tally: SmscCounters = createSmscCounters();
  readonly messages = new MessageStore();
  readonly binds: BindRegistry;
  readonly segmentation: SegmentationCheck = createSegmentationCheck();
  readonly heartbeat: Heartbeat;
  readonly handsets = new Handsets();
  readonly nextId: (quirks: IdQuirks) => MessageId;
  /** Submits so far to the numbers whose ending chooses an outcome. */
  readonly magicSubmits = new Map<string, number>();
  private readonly onEvent: (event: SmscEvent) => void;
  /** By system_id. */
  private readonly mailboxes = new Map<string, Mailbox>();
  private readonly throttles = new Map<string, Throttle>();
  private readonly timers = new Set<Cancel>();

  constructor({ clock, chance, quirks, users, defaultAlphabet, isStrict, onEvent }: SmscOptions) {
    this.clock = clock;
    this.chance = chance;
    this.quirks = quirks;
    this.defaultAlphabet = defaultAlphabet;
    this.isStrict = isStrict;
    this.onEvent = onEvent;
    this.binds = new BindRegistry(
      users,
      () => this.quirks,
      () => {
        this.quirks = { ...this.quirks, refuseBinds: this.quirks.refuseBinds - 1 };
      },
    );
    this.heartbeat = new Heartbeat(clock);
    this.nextId = messageIds(clock.nowMs(), chance);
  }

  emit(event: Untimed<SmscEvent>): void {
    this.onEvent({ ...event, atMs: this.clock.nowMs() });
  }

  /** Counts a broken rule of the protocol, and emits it as an event. */
  violate(link: number, what: Phrase): void {
    countBroken(this.tally, what);
    this.emit({ kind: "violation", link, what });
  }

  /** Calls back after a delay, at once when there is none, never after `close`. */
  later(delayMs: number, callback: () => void): void {
    if (delayMs <= 0) {
      callback();
      return;
    }
    const { timers } = this;
    const cancel = this.clock.after(delayMs, () => {
      timers.delete(cancel);
      callback();
    });
    timers.add(cancel);
  }

  findMailbox(systemId: string): Mailbox {
    const known = this.mailboxes.get(systemId);
    if (known) return known;
    const made = new Mailbox({
      later: (delayMs, callback) => this.later(delayMs, callback),
      onSent: () => {
        this.tally.receiptsSent += 1;
      },
      window: () => this.quirks.receiptWindow || Number.POSITIVE_INFINITY,
    });
    this.mailboxes.set(systemId, made);
    return made;
  }

  /** Receipts and replies in all mailboxes. */
  receiptsWaiting(): number {
    return [...this.mailboxes.values()].reduce((sum, box) => sum + box.waiting(), 0);
  }

  findThrottle(systemId: string): Throttle {
    const throttle = this.throttles.get(systemId) ?? new Throttle();
    this.throttles.set(systemId, throttle);
    return throttle;
  }

  /** Makes no more calls. */
  close(): void {
    this.heartbeat.stop();
    for (const cancel of this.timers) cancel();
    this.timers.clear();
  }
}

const BEAT_MS = 10;

/**
 * When the event loop last had time: what is read now may have waited in the socket since then, so a busy machine
 * must not look like a client that is too fast. It beats once it was asked, so that it costs nothing until then.
 */
class Heartbeat {
  private beatMs: number | null = null;
  private cancel: Cancel = () => {};

  constructor(private readonly clock: Clock) {}

  /** Steady milliseconds. */
  lastMs(): number {
    return this.beatMs ?? this.beat();
  }

  stop(): void {
    this.cancel();
  }

  private beat(): number {
    this.beatMs = this.clock.steadyMs();
    this.cancel = this.clock.after(BEAT_MS, () => this.beat());
    return this.beatMs;
  }
}

/** A system_id that may bind. A null password lets any in. */
export type User = { readonly systemId: string; readonly password: string | null };

type BindQuirks = Pick<Quirks, "refuseBinds" | "refuseBindStatus" | "maxBinds">;

/** Decides who may bind, and keeps count of who has. */
class BindRegistry {
  private readonly bound = new Map<string, number>();

  /** `refused` is called for each bind that was refused because the quirks say so. No users: anybody may bind. */
  constructor(
    private readonly users: readonly User[],
    private readonly quirks: () => BindQuirks,
    private readonly refused: () => void,
  ) {}

  /** ROK, and the bind counts until `left`; or the status that refuses this user. */
  admit(systemId: string, password: string): number {
    const status = this.verdict(systemId, password);
    if (status === STATUS.ROK) this.bound.set(systemId, (this.bound.get(systemId) ?? 0) + 1);
    return status;
  }

  left(systemId: string): void {
    this.bound.set(systemId, (this.bound.get(systemId) ?? 1) - 1);
  }

  private verdict(systemId: string, password: string): number {
    const { refuseBinds, refuseBindStatus, maxBinds } = this.quirks();
    if (refuseBinds > 0) {
      this.refused();
      return refuseBindStatus;
    }
    const user = this.users.find((known) => known.systemId === systemId);
    if (this.users.length > 0 && !user) return STATUS.RINVSYSID;
    if (user && user.password !== null && user.password !== password) return STATUS.RINVPASWD;
    return maxBinds > 0 && (this.bound.get(systemId) ?? 0) >= maxBinds ? STATUS.RALYBND : STATUS.ROK;
  }
}

/** An accepted submit: the text as a handset takes it, the id, and the session it came on. */
export type SubmittedMessage = {
  readonly message: ShortMessage;
  readonly part: HandsetPart;
  readonly id: MessageId;
  readonly systemId: string;
  readonly receiver: Receiver;
  readonly submittedAtMs: number;
  /** Shared by the messages of one submit_multi. */
  readonly request: object;
};

/** An accepted message and its state. */
export type SmscMessage = {
  /** As it was submitted, or as replace_sm left it. */
  submitted: SubmittedMessage;
  /** ENROUTE until its final state. */
  state: ReceiptStat;
  doneAtMs: number | null;
};

/** How many ids without a message under way are remembered, the newest. */
const ENDED_KEPT = 10_000;

/** The messages that this operator has accepted, for query_sm, cancel_sm and replace_sm. */
class MessageStore {
  private readonly byId = new Map<string, SmscMessage[]>();
  private readonly ended = new Set<string>();

  add(submitted: SubmittedMessage): SmscMessage {
    const message: SmscMessage = { submitted, state: "ENROUTE", doneAtMs: null };
    const key = keyOf(submitted.systemId, submitted.id.response);
    const sharing = this.byId.get(key)?.filter((one) => one.submitted.request === submitted.request) ?? [];
    this.byId.set(key, [...sharing, message]);
    this.ended.delete(key);
    return message;
  }

  /** The messages of a system_id under an id: one, or of a submit_multi one for each destination. */
  find(systemId: string, id: string): readonly SmscMessage[] {
    return this.byId.get(keyOf(systemId, id)) ?? [];
  }

  /** Those of a system_id that are still under way. */
  underWay(systemId: string): SmscMessage[] {
    return [...this.byId.values()]
      .flat()
      .filter(({ state, submitted }) => state === "ENROUTE" && submitted.systemId === systemId);
  }

  end(message: SmscMessage, state: ReceiptStat, atMs: number): void {
    message.state = state;
    message.doneAtMs = atMs;
    const { systemId, id } = message.submitted;
    const key = keyOf(systemId, id.response);
    if (this.byId.get(key)?.some((one) => one.state === "ENROUTE")) return;
    this.ended.add(key);
    for (const oldest of this.ended) {
      if (this.ended.size <= ENDED_KEPT) break;
      this.ended.delete(oldest);
      this.byId.delete(oldest);
    }
  }
}

function keyOf(systemId: string, id: string): string {
  return JSON.stringify([systemId, id]);
}
