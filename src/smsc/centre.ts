import type { Chance } from "../base/chance.ts";
import type { Cancel, Clock } from "../base/clock.ts";
import type { ShortMessage } from "../smpp/short-message.ts";
import type { DefaultAlphabet } from "../text/gsm-alphabet.ts";
import type { SmscEvent } from "./events.ts";
import { type Handsets, handsets } from "./handset.ts";
import { magicOf } from "./magic.ts";
import { type Mailbox, mailbox, type Receiver } from "./mailbox.ts";
import { type MessageId, messageIds } from "./message-ids.ts";
import { type Fate, outcomeOf, type Plan } from "./outcome.ts";
import { type Part, partOf } from "./part.ts";
import type { Quirks } from "./quirks.ts";
import { receiptMessage } from "./receipt-message.ts";
import { STATUS, type SubmitStatus } from "./states.ts";

/** A system_id that may bind. A null password lets any in. */
export type User = { readonly systemId: string; readonly password: string | null };

/** An event without its time, which is the time it is told. Distributes over the union. */
type Untimed<E> = E extends SmscEvent ? Omit<E, "atMs"> : never;

/** What the sessions of all links share: users, quirks, mailboxes, handsets, counts. */
export type Centre = {
  readonly clock: Clock;
  readonly tally: Tally;
  readonly quirks: () => Quirks;
  readonly change: (change: Partial<Quirks>) => void;
  readonly tell: (event: Untimed<SmscEvent>) => void;
  /** ROK, or why this user may not bind. */
  readonly admit: (systemId: string, password: string) => SubmitStatus;
  readonly mailboxOf: (systemId: string) => Mailbox;
  /** Receipts and replies in all mailboxes. */
  readonly receiptsWaiting: () => number;
  /** Decides about a well-formed submit_sm; `id` is null for a refused one. */
  readonly judge: (
    systemId: string,
    message: ShortMessage,
    placeOnLink: number,
  ) => { readonly plan: Plan; readonly id: MessageId | null };
  /** Lets an accepted message meet its fate: the handset, then the receipts. */
  readonly fulfil: (
    submitted: { readonly message: ShortMessage; readonly id: MessageId; readonly systemId: string },
    fate: Fate,
    receiver: Receiver,
  ) => void;
  /** Calls back after a delay, at once when there is none, never after `stop`. */
  readonly later: (delayMs: number, callback: () => void) => void;
  readonly handsets: Handsets;
  readonly stop: () => void;
};

/** Sums that the sessions write (SmscStats says what each means). */
export type Tally = {
  submits: number;
  accepted: number;
  refused: number;
  unanswered: number;
  texts: number;
  receiptsSent: number;
  receiptsAcknowledged: number;
  dropped: number;
  violations: number;
  mostUnansweredOnLink: number;
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

const SECOND_MS = 1000;

export function centre(options: CentreOptions): Centre {
  const { clock, chance, users } = options;
  let quirks = options.quirks;
  const nextId = messageIds(clock.nowMs(), chance);
  const screens = handsets();
  const mailboxes = new Map<string, Mailbox>();
  const timers = new Set<Cancel>();
  /** Submits so far to the numbers whose ending chooses an outcome. */
  const magicSubmits = new Map<string, number>();
  /** Steady times of accepted submits in the last second, by system_id. */
  const recent = new Map<string, number[]>();
  const tally: Tally = {
    submits: 0,
    accepted: 0,
    refused: 0,
    unanswered: 0,
    texts: 0,
    receiptsSent: 0,
    receiptsAcknowledged: 0,
    dropped: 0,
    violations: 0,
    mostUnansweredOnLink: 0,
  };

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
    const made = mailbox(later, () => {
      tally.receiptsSent += 1;
    });
    mailboxes.set(systemId, made);
    return made;
  };

  const earlierTo = (number: string): number => {
    if (magicOf(number) === undefined) return 0;
    const earlier = magicSubmits.get(number) ?? 0;
    magicSubmits.set(number, earlier + 1);
    return earlier;
  };

  const lastSecondOf = (systemId: string): number[] => {
    const times = recent.get(systemId) ?? [];
    recent.set(systemId, times);
    const since = clock.steadyMs() - SECOND_MS;
    while ((times[0] ?? Infinity) <= since) times.shift();
    return times;
  };

  const show = (message: ShortMessage, part: Part): void => {
    const text = screens.take(message.sourceAddr, message.destinationAddr, part);
    if (text === null) return;
    tally.texts += 1;
    tell({ kind: "text", ...text });
  };

  return {
    clock,
    tally,
    tell,
    mailboxOf,
    handsets: screens,
    quirks: () => quirks,
    change: (change) => {
      quirks = { ...quirks, ...change };
    },
    admit: (systemId, password) => {
      if (users.length === 0) return STATUS.ROK;
      const user = users.find((known) => known.systemId === systemId);
      if (!user) return STATUS.RINVSYSID;
      return user.password === null || user.password === password ? STATUS.ROK : STATUS.RINVPASWD;
    },
    receiptsWaiting: () => [...mailboxes.values()].reduce((sum, box) => sum + box.waiting(), 0),
    judge: (systemId, message, placeOnLink) => {
      const times = lastSecondOf(systemId);
      const submit = {
        destination: message.destinationAddr,
        registeredDelivery: message.registeredDelivery,
        earlierToNumber: earlierTo(message.destinationAddr),
        placeOnLink,
        acceptedLastSecond: times.length,
      };
      const plan = outcomeOf(submit, quirks, chance);
      if (plan.fate === null) return { plan, id: null };
      if (quirks.throttlePerSecond > 0) times.push(clock.steadyMs());
      return { plan, id: nextId(quirks.idFormat) };
    },
    fulfil: ({ message, id, systemId }, fate, receiver) => {
      const { stat, receipts } = fate;
      const part = partOf(message, options.defaultAlphabet);
      const doneAtMs = clock.nowMs();
      if (stat === "DELIVRD") show(message, part);
      tell({ kind: "outcome", to: message.destinationAddr, id: id.receipt, stat, receipts });
      const receipt = receiptMessage({
        about: message,
        id: id.receipt,
        stat,
        submittedAtMs: doneAtMs - fate.afterMs,
        doneAtMs,
        text: part.text,
        hasTlvs: !quirks.noTlvs,
      });
      for (let sent = 0; sent < receipts; sent++) mailboxOf(systemId).post(receipt, receiver);
    },
    later,
    stop: () => {
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
}
