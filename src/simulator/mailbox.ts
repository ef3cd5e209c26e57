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

type SentDelivery = { readonly letter: QueuedDelivery; readonly receiver: Receiver; isOverdue: boolean };

const RETRY_MS = 2000;

type MailboxOptions = {
  /** Calls back after a delay. */
  readonly later: (delayMs: number, callback: () => void) => void;
  /** Called for every request that is written, repeats too. */
  readonly onSent: () => void;
  /** The most requests in flight on one session. */
  readonly window: () => number;
};

/** The receipts and replies for one system_id, kept until one of its sessions has acknowledged them. */
export class Mailbox {
  private readonly receivers = new Set<Receiver>();
  /** By ref: unacknowledged, or overdue and sent again since. */
  private readonly sent = new Map<number, SentDelivery>();
  /** Acknowledged while a repeat of it was under way: it is not repeated again. */
  private readonly settled = new WeakSet<QueuedDelivery>();
  private queue: QueuedDelivery[] = [];
  /** How many at the front of the queue were sent: removing them one by one would copy a long queue each time. */
  private handed = 0;
  private lastRef = 0;

  constructor(private readonly options: MailboxOptions) {}

  /** Queues a delivery for any session that can receive, or the next one to attach. */
  post(letter: QueuedDelivery): void {
    if (this.queue.length > this.handed || !this.hand(letter)) this.queue.push(letter);
  }

  attach(receiver: Receiver): void {
    this.receivers.add(receiver);
    this.pump();
  }

  /** Detaches a receiver; deliveries that it has not acknowledged are sent again, by another one if there is one. */
  detach(receiver: Receiver): void {
    if (!this.receivers.delete(receiver)) return;
    const lost: QueuedDelivery[] = [];
    for (const [ref, sent] of this.sent) {
      if (sent.receiver !== receiver) continue;
      this.sent.delete(ref);
      if (!sent.isOverdue) lost.push(sent.letter);
    }
    this.queue = [...lost, ...this.queue.slice(this.handed)];
    this.handed = 0;
    this.pump();
  }

  /** Sends again deliveries that were not acknowledged in time. An acknowledgement may still come. */
  repeat(refs: readonly number[]): void {
    for (const ref of refs) {
      const sent = this.sent.get(ref);
      if (!sent) continue;
      sent.isOverdue = true;
      if (!this.settled.has(sent.letter)) this.queue.push(sent.letter);
    }
    this.pump();
  }

  /** Notes an acknowledgement. `late`: the delivery has been sent again since. */
  acknowledged(ref: number, status: number, late: boolean): void {
    const sent = this.sent.get(ref);
    this.sent.delete(ref);
    if (!sent) return;
    if (late) this.settled.add(sent.letter);
    else if (statusMeaning(status).class === "retry") {
      this.options.later(RETRY_MS, () => {
        this.queue.push(sent.letter);
        this.pump();
      });
    }
    this.pump();
  }

  /** How many deliveries are not acknowledged, sent or not. */
  waiting(): number {
    const inFlight = [...this.receivers].reduce((sum, receiver) => sum + receiver.inFlight(), 0);
    return this.queue.length - this.handed + inFlight;
  }

  private pump(): void {
    let letter = this.queue[this.handed];
    while (letter && this.hand(letter)) {
      this.handed += 1;
      letter = this.queue[this.handed];
    }
    if (this.handed * 2 > this.queue.length) {
      this.queue = this.queue.slice(this.handed);
      this.handed = 0;
    }
  }

  private hand(letter: QueuedDelivery): boolean {
    if (this.settled.has(letter)) return true;
    const receiver = this.receiverFor(letter);
    if (receiver === null) return false;
    this.options.onSent();
    this.lastRef += 1;
    this.sent.set(this.lastRef, { letter, receiver, isOverdue: false });
    receiver.send(letter.command, this.lastRef, letter.message);
    return true;
  }

  private receiverFor({ link, elsewhere }: QueuedDelivery): Receiver | null {
    const isFree = link !== null && this.receivers.has(link) && this.hasRoom(link);
    if (elsewhere) return this.roomiest(link) ?? (isFree ? link : null);
    return isFree ? link : this.roomiest(null);
  }

  private roomiest(except: Receiver | null): Receiver | null {
    let best: Receiver | null = null;
    for (const receiver of this.receivers) {
      if (receiver === except || !this.hasRoom(receiver)) continue;
      if (best === null || receiver.inFlight() < best.inFlight()) best = receiver;
    }
    return best;
  }

  private hasRoom(receiver: Receiver): boolean {
    return receiver.canTake() && receiver.inFlight() < this.options.window();
  }
}
