import type { ShortMessage } from "../smpp/short-message.ts";

export type LetterCommand = "deliver_sm" | "data_sm";

/** A bind that can receive: `send` writes the request and returns its sequence number. */
export type Receiver = { readonly send: (command: LetterCommand, message: ShortMessage) => number };

/** A receipt, or a text from a handset. */
export type Letter = {
  readonly command: LetterCommand;
  readonly message: ShortMessage;
  /** The link it belongs to; null for a text from a handset. */
  readonly link: Receiver | null;
  /** Goes to its link where that is attached, or to another one where there is another. */
  readonly elsewhere: boolean;
};

/** What waits for one system_id: receipts and replies, kept until a bind of it has acknowledged them. */
export type Mailbox = {
  /** Whoever can receive gets it, the next one to attach at the latest. */
  readonly post: (letter: Letter) => void;
  readonly attach: (receiver: Receiver) => void;
  /** What the receiver has not acknowledged is sent again, by another one if there is one. */
  readonly detach: (receiver: Receiver) => void;
  /** False for a sequence number that was not sent, or was acknowledged before. */
  readonly acknowledged: (receiver: Receiver, sequence: number, status: number) => boolean;
  readonly waiting: () => number;
};

export type MailboxOptions = {
  /** Calls back after a delay. */
  readonly later: (delayMs: number, callback: () => void) => void;
  /** Called for every request that is written, repeats too. */
  readonly onSent: () => void;
  /** How long an acknowledgement is waited for; 0 for as long as the link stands. */
  readonly ackTimeoutMs: () => number;
  /** Requests in flight on one bind at most. */
  readonly window: () => number;
};

/** Answers that ask to be tried again: 0x08, 0x14, 0x58, 0x64. */
const TEMPORARY: ReadonlySet<number> = new Set([0x08, 0x14, 0x58, 0x64]);
const RETRY_MS = 2000;

export function mailbox({ later, onSent, ackTimeoutMs, window }: MailboxOptions): Mailbox {
  const inFlight = new Map<Receiver, Map<number, Letter>>();
  /** Sent, and sent again since for want of an acknowledgement, which may still come. */
  const overdue = new Map<Receiver, Map<number, Letter>>();
  /** Acknowledged while a repeat of it was under way: it is not repeated again. */
  const settled = new WeakSet<Letter>();
  let queue: Letter[] = [];
  /** How many at the front of the queue have left it: cutting them off one by one would copy a long queue each time. */
  let handed = 0;

  const roomiest = (except: Receiver | null): Receiver | null => {
    let best: Receiver | null = null;
    let least = window();
    for (const [receiver, letters] of inFlight) {
      if (receiver !== except && letters.size < least) [best, least] = [receiver, letters.size];
    }
    return best;
  };

  const receiverFor = ({ link, elsewhere }: Letter): Receiver | null => {
    const own = link === null ? undefined : inFlight.get(link);
    const isFree = own !== undefined && own.size < window();
    if (elsewhere) return roomiest(link) ?? (isFree ? link : null);
    return isFree ? link : roomiest(null);
  };

  const hand = (letter: Letter): boolean => {
    if (settled.has(letter)) return true;
    const receiver = receiverFor(letter);
    if (receiver === null) return false;
    onSent();
    const sequence = receiver.send(letter.command, letter.message);
    inFlight.get(receiver)?.set(sequence, letter);
    if (ackTimeoutMs() > 0) later(ackTimeoutMs(), () => repeat(receiver, sequence, letter));
    return true;
  };

  const repeat = (receiver: Receiver, sequence: number, letter: Letter): void => {
    const letters = inFlight.get(receiver);
    if (letters?.get(sequence) !== letter || settled.has(letter)) return;
    letters.delete(sequence);
    overdue.get(receiver)?.set(sequence, letter);
    queue.push(letter);
    pump();
  };

  const pump = (): void => {
    for (let letter = queue[handed]; letter !== undefined && hand(letter); letter = queue[handed])
      handed += 1;
    if (handed * 2 > queue.length) {
      queue = queue.slice(handed);
      handed = 0;
    }
  };

  return {
    post: (letter) => {
      if (queue.length > handed || !hand(letter)) queue.push(letter);
    },
    attach: (receiver) => {
      inFlight.set(receiver, new Map());
      overdue.set(receiver, new Map());
      pump();
    },
    detach: (receiver) => {
      const lost = inFlight.get(receiver);
      if (!lost) return;
      inFlight.delete(receiver);
      overdue.delete(receiver);
      queue = [...lost.values(), ...queue.slice(handed)];
      handed = 0;
      pump();
    },
    acknowledged: (receiver, sequence, status) => {
      const late = overdue.get(receiver)?.get(sequence);
      if (late !== undefined) {
        overdue.get(receiver)?.delete(sequence);
        settled.add(late);
        return true;
      }
      const letters = inFlight.get(receiver);
      const letter = letters?.get(sequence);
      if (!letters || !letter) return false;
      letters.delete(sequence);
      if (TEMPORARY.has(status)) {
        later(RETRY_MS, () => {
          queue.push(letter);
          pump();
        });
      }
      pump();
      return true;
    },
    waiting: () =>
      queue.length - handed + [...inFlight.values()].reduce((sum, letters) => sum + letters.size, 0),
  };
}
