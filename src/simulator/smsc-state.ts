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
import { type HandsetPart, type Handsets, handsets } from "./handset.ts";
import { Mailbox, type Receiver } from "./mailbox.ts";
import { type IdQuirks, type MessageId, messageIds } from "./message-ids.ts";
import type { ReceiptStat } from "./message-states.ts";
import type { Quirks } from "./quirks.ts";
import { createSegmentationCheck, type SegmentationCheck } from "./strict-checks.ts";
import { createThrottle, type Throttle } from "./throttle.ts";

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
export type SmscState = SmscOptions & {
  readonly tally: SmscCounters;
  readonly book: MessageStore;
  readonly desk: BindRegistry;
  readonly segmentation: SegmentationCheck;
  readonly heartbeat: Heartbeat;
  readonly handsets: Handsets;
  readonly nextId: (habits: IdQuirks) => MessageId;
  /** By system_id. */
  readonly mailboxes: Map<string, Mailbox>;
  readonly throttles: Map<string, Throttle>;
  readonly timers: Set<Cancel>;
  /** Submits so far to the numbers whose ending chooses an outcome. */
  readonly magicSubmits: Map<string, number>;
};

export function createSmscState(options: SmscOptions): SmscState {
  const { clock, chance, users } = options;
  const centre: SmscState = {
    ...options,
    tally: createSmscCounters(),
    book: createMessageStore(),
    desk: createBindRegistry(
      users,
      () => centre.quirks,
      () => {
        centre.quirks = { ...centre.quirks, refuseBinds: centre.quirks.refuseBinds - 1 };
      },
    ),
    segmentation: createSegmentationCheck(),
    heartbeat: heartbeat(clock),
    handsets: handsets(),
    nextId: messageIds(clock.nowMs(), chance),
    mailboxes: new Map(),
    throttles: new Map(),
    timers: new Set(),
    magicSubmits: new Map(),
  };
  return centre;
}

export function emit(centre: SmscState, event: Untimed<SmscEvent>): void {
  centre.onEvent({ ...event, atMs: centre.clock.nowMs() });
}

/** Counts a broken rule of the protocol, and emits it as an event. */
export function violate(centre: SmscState, link: number, what: Phrase): void {
  countBroken(centre.tally, what);
  emit(centre, { kind: "violation", link, what });
}

/** Calls back after a delay, at once when there is none, never after `closeSmscState`. */
export function later({ clock, timers }: SmscState, delayMs: number, callback: () => void): void {
  if (delayMs <= 0) {
    callback();
    return;
  }
  const cancel = clock.after(delayMs, () => {
    timers.delete(cancel);
    callback();
  });
  timers.add(cancel);
}

export function findMailbox(centre: SmscState, systemId: string): Mailbox {
  const known = centre.mailboxes.get(systemId);
  if (known) return known;
  const made = new Mailbox({
    later: (delayMs, callback) => later(centre, delayMs, callback),
    onSent: () => {
      centre.tally.receiptsSent += 1;
    },
    window: () => centre.quirks.receiptWindow || Number.POSITIVE_INFINITY,
  });
  centre.mailboxes.set(systemId, made);
  return made;
}

/** Receipts and replies in all mailboxes. */
export function receiptsWaiting({ mailboxes }: SmscState): number {
  return [...mailboxes.values()].reduce((sum, box) => sum + box.waiting(), 0);
}

export function findThrottle({ throttles }: SmscState, systemId: string): Throttle {
  const throttle = throttles.get(systemId) ?? createThrottle();
  throttles.set(systemId, throttle);
  return throttle;
}

export function closeSmscState({ heartbeat: heart, timers }: SmscState): void {
  heart.stop();
  for (const cancel of timers) cancel();
  timers.clear();
}

/**
 * When the event loop last had time: what is read now may have waited in the socket since then, so a busy machine
 * must not look like a client that is too fast. Steady milliseconds.
 */
type Heartbeat = { readonly lastMs: () => number; readonly stop: () => void };

const BEAT_MS = 10;

/** Creates a heartbeat that starts when it is first asked, so that it costs nothing until then. */
function heartbeat(clock: Clock): Heartbeat {
  let lastMs: number | null = null;
  let cancel = (): void => {};
  const beat = (): void => {
    lastMs = clock.steadyMs();
    cancel = clock.after(BEAT_MS, beat);
  };
  return {
    lastMs: () => {
      if (lastMs === null) beat();
      return lastMs ?? clock.steadyMs();
    },
    stop: () => cancel(),
  };
}

/** A system_id that may bind. A null password lets any in. */
export type User = { readonly systemId: string; readonly password: string | null };

/** Decides who may bind, and keeps count of who has. */
type BindRegistry = {
  /** ROK, and the bind counts until `left`; or the status that refuses this user. */
  readonly admit: (systemId: string, password: string) => number;
  readonly left: (systemId: string) => void;
};

type BindHabits = Pick<Quirks, "refuseBinds" | "refuseBindStatus" | "maxBinds">;

/** `refused` is called for each bind that was refused because the quirks say so. No users: anybody may bind. */
function createBindRegistry(
  users: readonly User[],
  habits: () => BindHabits,
  refused: () => void,
): BindRegistry {
  const bound = new Map<string, number>();

  const verdict = (systemId: string, password: string): number => {
    const { refuseBinds, refuseBindStatus, maxBinds } = habits();
    if (refuseBinds > 0) {
      refused();
      return refuseBindStatus;
    }
    const user = users.find((known) => known.systemId === systemId);
    if (users.length > 0 && !user) return STATUS.RINVSYSID;
    if (user && user.password !== null && user.password !== password) return STATUS.RINVPASWD;
    return maxBinds > 0 && (bound.get(systemId) ?? 0) >= maxBinds ? STATUS.RALYBND : STATUS.ROK;
  };

  return {
    admit: (systemId, password) => {
      const status = verdict(systemId, password);
      if (status === STATUS.ROK) bound.set(systemId, (bound.get(systemId) ?? 0) + 1);
      return status;
    },
    left: (systemId) => {
      bound.set(systemId, (bound.get(systemId) ?? 1) - 1);
    },
  };
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

/** The messages that this operator has accepted, for query_sm, cancel_sm and replace_sm. */
type MessageStore = {
  readonly add: (submitted: SubmittedMessage) => SmscMessage;
  /** The messages of a system_id under an id: one, or of a submit_multi one for each destination. */
  readonly find: (systemId: string, id: string) => readonly SmscMessage[];
  /** Those of a system_id that are still under way. */
  readonly underWay: (systemId: string) => SmscMessage[];
  readonly end: (message: SmscMessage, state: ReceiptStat, atMs: number) => void;
};

/** How many ids without a message under way are remembered, the newest. */
const ENDED_KEPT = 10_000;

function createMessageStore(): MessageStore {
  const byId = new Map<string, SmscMessage[]>();
  const ended = new Set<string>();
  const keyOf = (systemId: string, id: string): string => JSON.stringify([systemId, id]);
  const keyOfMessage = ({ submitted }: SmscMessage): string =>
    keyOf(submitted.systemId, submitted.id.response);

  return {
    add: (submitted) => {
      const message: SmscMessage = { submitted, state: "ENROUTE", doneAtMs: null };
      const key = keyOfMessage(message);
      const sharing = byId.get(key)?.filter((one) => one.submitted.request === submitted.request) ?? [];
      byId.set(key, [...sharing, message]);
      ended.delete(key);
      return message;
    },
    find: (systemId, id) => byId.get(keyOf(systemId, id)) ?? [],
    underWay: (systemId) =>
      [...byId.values()]
        .flat()
        .filter(({ state, submitted }) => state === "ENROUTE" && submitted.systemId === systemId),
    end: (message, state, atMs) => {
      message.state = state;
      message.doneAtMs = atMs;
      const key = keyOfMessage(message);
      if (byId.get(key)?.some((one) => one.state === "ENROUTE")) return;
      ended.add(key);
      for (const oldest of ended) {
        if (ended.size <= ENDED_KEPT) break;
        ended.delete(oldest);
        byId.delete(oldest);
      }
    },
  };
}
