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

type SentDelivery = { readonly delivery: QueuedDelivery; readonly receiver: Receiver; isOverdue: boolean };

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
  post(delivery: QueuedDelivery): void {
    if (this.queue.length > this.handed || !this.send(delivery)) this.queue.push(delivery);
  }

  attach(receiver: Receiver): void {
    this.receivers.add(receiver);
    this.sendWaiting();
  }

  /** Detaches a receiver; deliveries that it has not acknowledged are sent again, by another one if there is one. */
  detach(receiver: Receiver): void {
    if (!this.receivers.delete(receiver)) return;
    const lost: QueuedDelivery[] = [];
    for (const [ref, sent] of this.sent) {
      if (sent.receiver !== receiver) continue;
      this.sent.delete(ref);
      if (!sent.isOverdue) lost.push(sent.delivery);
    }
    this.queue = [...lost, ...this.queue.slice(this.handed)];
    this.handed = 0;
    this.sendWaiting();
  }

  /** Sends again deliveries that were not acknowledged in time. An acknowledgement may still come. */
  repeat(refs: readonly number[]): void {
    for (const ref of refs) {
      const sent = this.sent.get(ref);
      if (!sent) continue;
      sent.isOverdue = true;
      if (!this.settled.has(sent.delivery)) this.queue.push(sent.delivery);
    }
    this.sendWaiting();
  }

  /** Notes an acknowledgement. `late`: the delivery has been sent again since. */
  acknowledged(ref: number, status: number, late: boolean): void {
    const sent = this.sent.get(ref);
    this.sent.delete(ref);
    if (!sent) return;
    if (late) this.settled.add(sent.delivery);
    else if (statusMeaning(status).class === "retry") {
      this.options.later(RETRY_MS, () => {
        this.queue.push(sent.delivery);
        this.sendWaiting();
      });
    }
    this.sendWaiting();
  }

  /** How many deliveries are not acknowledged, sent or not. */
  waiting(): number {
    const inFlight = [...this.receivers].reduce((sum, receiver) => sum + receiver.inFlight(), 0);
    return this.queue.length - this.handed + inFlight;
  }

  private sendWaiting(): void {
    let delivery = this.queue[this.handed];
    while (delivery && this.send(delivery)) {
      this.handed += 1;
      delivery = this.queue[this.handed];
    }
    if (this.handed * 2 > this.queue.length) {
      this.queue = this.queue.slice(this.handed);
      this.handed = 0;
    }
  }

  private send(delivery: QueuedDelivery): boolean {
    if (this.settled.has(delivery)) return true;
    const receiver = this.receiverFor(delivery);
    if (receiver === null) return false;
    this.options.onSent();
    this.lastRef += 1;
    this.sent.set(this.lastRef, { delivery, receiver, isOverdue: false });
    receiver.send(delivery.command, this.lastRef, delivery.message);
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
