import type { ShortMessage } from "../smpp/short-message.ts";

/** A bind that can receive: `send` writes a deliver_sm and returns its sequence number. */
export type Receiver = { readonly send: (message: ShortMessage) => number };

/** What waits for one system_id: receipts and replies, kept until a bind of it has acknowledged them. */
export type Mailbox = {
  /** `preferred` gets it when it is attached; else any other receiver, the next one to attach at the latest. */
  readonly post: (message: ShortMessage, preferred: Receiver | null) => void;
  readonly attach: (receiver: Receiver) => void;
  /** What the receiver has not acknowledged is sent again, by another one if there is one. */
  readonly detach: (receiver: Receiver) => void;
  /** False for a sequence number that nothing waits under. */
  readonly acknowledged: (receiver: Receiver, sequence: number, status: number) => boolean;
  readonly waiting: () => number;
};

/** deliver_sm in flight on one bind at most. */
const WINDOW = 100;
/** Answers that ask to be tried again: 0x08, 0x14, 0x58, 0x64. */
const TEMPORARY: ReadonlySet<number> = new Set([0x08, 0x14, 0x58, 0x64]);
const RETRY_MS = 2000;

type Letter = { readonly message: ShortMessage; readonly preferred: Receiver | null };

/** `onSent` is called for every deliver_sm that is written, repeats too; `later` calls back after a delay. */
export function mailbox(later: (delayMs: number, callback: () => void) => void, onSent: () => void): Mailbox {
  const inFlight = new Map<Receiver, Map<number, Letter>>();
  let queue: Letter[] = [];
  /** How many at the front of the queue have left it: cutting them off one by one would copy a long queue each time. */
  let handed = 0;

  const roomiest = (): Receiver | null => {
    let best: Receiver | null = null;
    let least = WINDOW;
    for (const [receiver, letters] of inFlight) {
      if (letters.size < least) [best, least] = [receiver, letters.size];
    }
    return best;
  };

  const hand = (letter: Letter): boolean => {
    const own = letter.preferred === null ? undefined : inFlight.get(letter.preferred);
    const receiver = own && own.size < WINDOW ? letter.preferred : roomiest();
    if (receiver === null) return false;
    onSent();
    inFlight.get(receiver)?.set(receiver.send(letter.message), letter);
    return true;
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
    post: (message, preferred) => {
      const letter = { message, preferred };
      if (queue.length > handed || !hand(letter)) queue.push(letter);
    },
    attach: (receiver) => {
      inFlight.set(receiver, new Map());
      pump();
    },
    detach: (receiver) => {
      const lost = inFlight.get(receiver);
      if (!lost) return;
      inFlight.delete(receiver);
      queue = [...lost.values(), ...queue.slice(handed)];
      handed = 0;
      pump();
    },
    acknowledged: (receiver, sequence, status) => {
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
