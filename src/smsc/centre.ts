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
import { type MessageId, messageIds } from "./message-ids.ts";
import { type Fate, outcomeOf, type Plan } from "./outcome.ts";
import type { Part } from "./part.ts";
import type { Quirks } from "./quirks.ts";
import { receiptMessage } from "./receipt-message.ts";
import { type SegmentationCheck, segmentationCheck } from "./segmentation.ts";
import type { ReceiptStat } from "./states.ts";
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
};

/** What the sessions of all links share: users, quirks, mailboxes, handsets, counts. */
export type Centre = {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly tally: Tally;
  readonly defaultAlphabet: DefaultAlphabet;
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
  /** Lets an accepted message meet its fate: the handset, then the receipts. */
  readonly fulfil: (submitted: Submitted, fate: Fate) => void;
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
  readonly onEvent: (event: SmscEvent) => void;
};

export function centre(options: CentreOptions): Centre {
  const { clock, chance, defaultAlphabet } = options;
  let quirks = options.quirks;
  const nextId = messageIds(clock.nowMs(), chance);
  const screens = handsets();
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
    fulfil: (submitted, fate) => {
      const { message, part, id, systemId, receiver } = submitted;
      const { stat, receipts } = fate;
      const doneAtMs = clock.nowMs();
      if (stat === "DELIVRD") show(submitted);
      tell({ kind: "outcome", to: message.destinationAddr, id: id.receipt, stat, receipts });
      const post = (told: ReceiptStat): void => {
        const submittedAtMs = doneAtMs - fate.afterMs;
        const facts = {
          about: message,
          id: id.receipt,
          stat: told,
          submittedAtMs,
          doneAtMs,
          text: part.text,
        };
        mailboxOf(systemId).post({
          command: quirks.dataSmReceipts ? "data_sm" : "deliver_sm",
          message: receiptMessage(facts, quirks),
          link: receiver,
          elsewhere: quirks.receiptsElsewhere,
        });
      };
      if (quirks.enrouteReceipts && receipts > 0) post("ENROUTE");
      for (let sent = 0; sent < receipts; sent++) post(stat);
    },
    later,
    stop: () => {
      heart.stop();
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
}
