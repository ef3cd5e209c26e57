/**
 * A simulated operator: `bendre smsc`, the demo, and every test that sends something.
 *
 * Begin here: a centre takes sessions and keeps what they share. `session` speaks SMPP with one client, `submit-desk` accepts or refuses,
 * `handset` and `receipt-message` make receipts, `quirks` is what real operators do wrong. It imports nothing of what sends, so that
 * both sides of a test are not wrong in the same way.
 */
import type { Chance } from "../base/chance.ts";
import type { Cancel, Clock } from "../base/clock.ts";
import type { ShortMessage } from "../smpp/short-message.ts";
import type { DefaultAlphabet } from "../text/gsm-alphabet.ts";
import { type BindDesk, bindDesk, type User } from "./bind-desk.ts";
import type { SmscEvent } from "./events.ts";
import { type Handsets, handsets } from "./handset.ts";
import { type Heartbeat, heartbeat } from "./heartbeat.ts";
import { magicOf } from "./magic.ts";
import { type Mailbox, mailbox, type Receiver } from "./mailbox.ts";
import { type KeptMessage, type MessageBook, messageBook } from "./message-book.ts";
import { type MessageId, messageIds } from "./message-ids.ts";
import { type Fate, outcomeOf, type Plan } from "./outcome.ts";
import type { Part } from "./part.ts";
import type { Quirks } from "./quirks.ts";
import { receiptMessage } from "./receipt-message.ts";
import { type SegmentationCheck, segmentationCheck } from "./segmentation.ts";
import type { ReceiptStat, Stat } from "./states.ts";
import { newTally, type Tally } from "./tally.ts";
import { createThrottle, type Throttle } from "./throttle.ts";

/** An event without its time, which is the time it is told. Distributes over the union. */
type Untimed<E> = E extends SmscEvent ? Omit<E, "atMs"> : never;

/** What was accepted: the text as a handset takes it, the id, and the link it came on. */
export type Submitted = {
  readonly message: ShortMessage;
  readonly part: Part;
  readonly id: MessageId;
  readonly systemId: string;
  readonly receiver: Receiver;
  readonly submittedAtMs: number;
  /** What those of one submit_multi share. */
  readonly request: object;
};

/** What the sessions of all links share: users, quirks, mailboxes, handsets, counts. */
export type Centre = {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly tally: Tally;
  readonly defaultAlphabet: DefaultAlphabet;
  /** Refuses what breaks any rule of the protocol; else only what it cannot use. */
  readonly isStrict: boolean;
  readonly book: MessageBook;
  readonly quirks: () => Quirks;
  readonly change: (change: Partial<Quirks>) => void;
  readonly tell: (event: Untimed<SmscEvent>) => void;
  readonly desk: BindDesk;
  readonly mailboxOf: (systemId: string) => Mailbox;
  /** Receipts and replies in all mailboxes. */
  readonly receiptsWaiting: () => number;
  readonly segmentation: SegmentationCheck;
  readonly heartbeat: Heartbeat;
  /** Decides about a well-formed submit_sm; `id` is null for a refused one. */
  readonly judge: (
    systemId: string,
    message: ShortMessage,
    placeOnLink: number,
  ) => { readonly plan: Plan; readonly id: MessageId | null };
  /** Lets an accepted message meet its fate, unless it was cancelled: the handset, then the receipts. */
  readonly fulfil: (kept: KeptMessage, fate: Fate) => void;
  /** Ends a message that is under way before it reached its handset. */
  readonly cancel: (kept: KeptMessage) => void;
  /** Calls back after a delay, at once when there is none, never after `stop`. */
  readonly later: (delayMs: number, callback: () => void) => void;
  readonly handsets: Handsets;
  readonly stop: () => void;
};

export type CentreOptions = {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly quirks: Quirks;
  /** Empty: anybody. */
  readonly users: readonly User[];
  readonly defaultAlphabet: DefaultAlphabet;
  readonly isStrict: boolean;
  readonly onEvent: (event: SmscEvent) => void;
};

export function centre(options: CentreOptions): Centre {
  const { clock, chance, defaultAlphabet, isStrict } = options;
  let quirks = options.quirks;
  const nextId = messageIds(clock.nowMs(), chance);
  const screens = handsets();
  const book = messageBook();
  const mailboxes = new Map<string, Mailbox>();
  const throttles = new Map<string, Throttle>();
  const timers = new Set<Cancel>();
  /** Submits so far to the numbers whose ending chooses an outcome. */
  const magicSubmits = new Map<string, number>();
  const tally = newTally();

  const tell: Centre["tell"] = (event) => options.onEvent({ ...event, atMs: clock.nowMs() });

  const later: Centre["later"] = (delayMs, callback) => {
    if (delayMs <= 0) {
      callback();
      return;
    }
    const cancel = clock.after(delayMs, () => {
      timers.delete(cancel);
      callback();
    });
    timers.add(cancel);
  };

  const mailboxOf = (systemId: string): Mailbox => {
    const known = mailboxes.get(systemId);
    if (known) return known;
    const made = mailbox({
      later,
      onSent: () => {
        tally.receiptsSent += 1;
      },
      ackTimeoutMs: () => quirks.receiptAckTimeoutMs,
      window: () => quirks.receiptWindow || Number.POSITIVE_INFINITY,
    });
    mailboxes.set(systemId, made);
    return made;
  };

  const throttleOf = (systemId: string): Throttle => {
    const throttle = throttles.get(systemId) ?? createThrottle();
    throttles.set(systemId, throttle);
    return throttle;
  };

  const earlierTo = (number: string): number => {
    if (magicOf(number) === undefined) return 0;
    const earlier = magicSubmits.get(number) ?? 0;
    magicSubmits.set(number, earlier + 1);
    return earlier;
  };

  const show = ({ message, part }: Submitted): void => {
    const text = screens.take(message.sourceAddr, message.destinationAddr, part);
    if (text === null) return;
    tally.texts += 1;
    tell({ kind: "text", ...text });
  };

  const finish = (kept: KeptMessage, stat: Stat, receipts: number): void => {
    const { message, id } = kept.submitted;
    book.end(kept, stat, clock.nowMs());
    tell({ kind: "outcome", to: message.destinationAddr, id: id.receipt, stat, receipts });
  };

  const post = ({ submitted, doneAtMs }: KeptMessage, stat: ReceiptStat): void => {
    const { message, part, id, systemId, receiver, submittedAtMs } = submitted;
    const facts = {
      about: message,
      id: id.receipt,
      stat,
      submittedAtMs,
      doneAtMs: doneAtMs ?? clock.nowMs(),
      text: part.text,
    };
    mailboxOf(systemId).post({
      command: quirks.dataSmReceipts ? "data_sm" : "deliver_sm",
      message: receiptMessage(facts, quirks),
      link: receiver,
      elsewhere: quirks.receiptsElsewhere,
    });
  };

  const change: Centre["change"] = (changed) => {
    quirks = { ...quirks, ...changed };
  };
  const heart = heartbeat(clock);
  const desk = bindDesk(
    options.users,
    () => quirks,
    () => change({ refuseBinds: quirks.refuseBinds - 1 }),
  );

  return {
    clock,
    chance,
    tally,
    defaultAlphabet,
    isStrict,
    book,
    tell,
    desk,
    mailboxOf,
    change,
    handsets: screens,
    segmentation: segmentationCheck(),
    heartbeat: heart,
    quirks: () => quirks,
    receiptsWaiting: () => [...mailboxes.values()].reduce((sum, box) => sum + box.waiting(), 0),
    judge: (systemId, message, placeOnLink) => {
      const throttle = throttleOf(systemId);
      const nowMs = clock.steadyMs();
      const submit = {
        destination: message.destinationAddr,
        registeredDelivery: message.registeredDelivery,
        earlierToNumber: earlierTo(message.destinationAddr),
        placeOnLink,
        place: tally.submits,
        dropped: tally.dropped,
        isTooMuch: !throttle.allows(quirks, nowMs),
      };
      const plan = outcomeOf(submit, quirks, chance);
      if (plan.fate === null) return { plan, id: null };
      throttle.count(quirks, nowMs);
      return { plan, id: nextId(quirks) };
    },
    fulfil: (kept, fate) => {
      if (kept.state !== "ENROUTE") return;
      const { stat, receipts } = fate;
      if (stat === "DELIVRD") show(kept.submitted);
      finish(kept, stat, receipts);
      if (quirks.enrouteReceipts && receipts > 0) post(kept, "ENROUTE");
      for (let sent = 0; sent < receipts; sent++) post(kept, stat);
    },
    cancel: (kept) => {
      const asked = kept.submitted.message.registeredDelivery & 0x03;
      const receipts = !quirks.noReceipts && (asked === 1 || asked === 2) ? 1 : 0;
      finish(kept, "DELETED", receipts);
      if (receipts > 0) post(kept, "DELETED");
    },
    later,
    stop: () => {
      heart.stop();
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
}
