/**
 * Queue of receipts and inbound texts of the simulated SMSC for one system_id, sent and repeated until a session
 * acknowledges them.
 */
import type { ShortMessage } from "../smpp/short-message.ts";
import type { DeliveryCommand } from "../smpp/smsc-session.ts";
import { statusMeaning } from "../smpp/status.ts";

/** A bound session that can receive. */
export type Receiver = {
  readonly canTake: () => boolean;
  /** Requests that wait for their answer on it. */
  readonly inFlight: () => number;
  /** `ref` comes back with the answer. */
  readonly send: (command: DeliveryCommand, ref: number, message: ShortMessage) => void;
};

/** A receipt, or a text from a handset. */
type QueuedDelivery = {
  readonly command: DeliveryCommand;
  readonly message: ShortMessage;
  /** The session it belongs to; null for a text from a handset. */
  readonly link: Receiver | null;
  /** Whether it goes to another session than its own, where there is another. */
  readonly elsewhere: boolean;
};

type DeliveredChange = { readonly letter: QueuedDelivery; readonly receiver: Receiver; isOverdue: boolean };

/** The receipts and replies for one system_id, kept until one of its sessions has acknowledged them. */
export type Mailbox = {
  readonly options: MailboxOptions;
  readonly receivers: Set<Receiver>;
  /** By ref: unacknowledged, or overdue and sent again since. */
  readonly sent: Map<number, DeliveredChange>;
  /** Acknowledged while a repeat of it was under way: it is not repeated again. */
  readonly settled: WeakSet<QueuedDelivery>;
  queue: QueuedDelivery[];
  /** How many at the front of the queue were sent: removing them one by one would copy a long queue each time. */
  handed: number;
  lastRef: number;
};

type MailboxOptions = {
  /** Calls back after a delay. */
  readonly later: (delayMs: number, callback: () => void) => void;
  /** Called for every request that is written, repeats too. */
  readonly onSent: () => void;
  /** The most requests in flight on one session. */
  readonly window: () => number;
};

const RETRY_MS = 2000;

export function mailbox(options: MailboxOptions): Mailbox {
  return {
    options,
    receivers: new Set(),
    sent: new Map(),
    settled: new WeakSet(),
    queue: [],
    handed: 0,
    lastRef: 0,
  };
}

/** Queues a delivery for any session that can receive, or the next one to attach. */
export function post(box: Mailbox, letter: QueuedDelivery): void {
  if (box.queue.length > box.handed || !hand(box, letter)) box.queue.push(letter);
}

export function attach(box: Mailbox, receiver: Receiver): void {
  box.receivers.add(receiver);
  pump(box);
}

/** Detaches a receiver; deliveries that it has not acknowledged are sent again, by another one if there is one. */
export function detach(box: Mailbox, receiver: Receiver): void {
  if (!box.receivers.delete(receiver)) return;
  const lost: QueuedDelivery[] = [];
  for (const [ref, sent] of box.sent) {
    if (sent.receiver !== receiver) continue;
    box.sent.delete(ref);
    if (!sent.isOverdue) lost.push(sent.letter);
  }
  box.queue = [...lost, ...box.queue.slice(box.handed)];
  box.handed = 0;
  pump(box);
}

/** Sends again deliveries that were not acknowledged in time. An acknowledgement may still come. */
export function repeat(box: Mailbox, refs: readonly number[]): void {
  for (const ref of refs) {
    const sent = box.sent.get(ref);
    if (!sent) continue;
    sent.isOverdue = true;
    if (!box.settled.has(sent.letter)) box.queue.push(sent.letter);
  }
  pump(box);
}

/** Notes an acknowledgement. `late`: the delivery has been sent again since. */
export function acknowledged(box: Mailbox, ref: number, status: number, late: boolean): void {
  const sent = box.sent.get(ref);
  box.sent.delete(ref);
  if (!sent) return;
  if (late) box.settled.add(sent.letter);
  else if (statusMeaning(status).class === "retry") {
    box.options.later(RETRY_MS, () => {
      box.queue.push(sent.letter);
      pump(box);
    });
  }
  pump(box);
}

/** How many deliveries are not acknowledged, sent or not. */
export function waitingIn(box: Mailbox): number {
  const inFlight = [...box.receivers].reduce((sum, receiver) => sum + receiver.inFlight(), 0);
  return box.queue.length - box.handed + inFlight;
}

function pump(box: Mailbox): void {
  for (let letter = box.queue[box.handed]; letter && hand(box, letter); letter = box.queue[box.handed]) {
    box.handed += 1;
  }
  if (box.handed * 2 > box.queue.length) {
    box.queue = box.queue.slice(box.handed);
    box.handed = 0;
  }
}

function hand(box: Mailbox, letter: QueuedDelivery): boolean {
  if (box.settled.has(letter)) return true;
  const receiver = receiverFor(box, letter);
  if (receiver === null) return false;
  box.options.onSent();
  box.lastRef += 1;
  box.sent.set(box.lastRef, { letter, receiver, isOverdue: false });
  receiver.send(letter.command, box.lastRef, letter.message);
  return true;
}

function receiverFor(box: Mailbox, { link, elsewhere }: QueuedDelivery): Receiver | null {
  const isFree = link !== null && box.receivers.has(link) && hasRoom(box, link);
  if (elsewhere) return roomiest(box, link) ?? (isFree ? link : null);
  return isFree ? link : roomiest(box, null);
}

function roomiest(box: Mailbox, except: Receiver | null): Receiver | null {
  let best: Receiver | null = null;
  for (const receiver of box.receivers) {
    if (receiver === except || !hasRoom(box, receiver)) continue;
    if (best === null || receiver.inFlight() < best.inFlight()) best = receiver;
  }
  return best;
}

function hasRoom(box: Mailbox, receiver: Receiver): boolean {
  return receiver.canTake() && receiver.inFlight() < box.options.window();
}
