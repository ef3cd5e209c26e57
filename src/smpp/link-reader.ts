/**
 * What a link reads, in bounded pieces: a few milliseconds of it a turn of the event loop, and no further while too
 * many deliver_sm wait for what becomes of them. Until then the socket is not read either, so that the operator's octets
 * stay where the network keeps them, however many it writes at once.
 *
 * PDUs are taken in their order, so a response to a submit waits behind the deliver_sm before it. Those are decided by
 * the database alone and need nothing from this socket, so the reading always goes on.
 */
import type { Clock } from "../core/clock.ts";
import { frameReader } from "./framing.ts";

export type SocketReader = {
  /** Octets came. */
  readonly take: (chunk: Uint8Array) => void;
  /** A deliver_sm of so many octets waits for its owner's answer. */
  readonly begun: (octets: number) => void;
  /** It was answered. */
  readonly decided: (octets: number) => void;
  /** The other side is gone: what is here is read to its end, whatever waits, and then `ended` is called. */
  readonly finish: (ended: () => void) => void;
  /** Nothing is read any more. */
  readonly stop: () => void;
};

export type SocketReaderOptions = {
  readonly clock: Clock;
  /** One whole frame, valid during the call. */
  readonly frame: (frame: Uint8Array) => void;
  /** The stream cannot be followed any further. */
  readonly fault: (fault: string) => void;
  /** The socket is to be read no further, or to be read on. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Around every turn of its own: what an error in it means is the caller's to say. */
  readonly guarded: (work: () => void) => void;
};

/** Read in one turn of the event loop: what comes first. Facts of one turn share a transaction, so not too few. */
const PDUS_A_TURN = 100;
const OCTETS_A_TURN = 65_536;
/** deliver_sm that wait for their answer: what the writer takes in a few turns. An OTP that comes meanwhile is written behind them. */
export const MAX_UNDECIDED = 400;
const MAX_UNDECIDED_OCTETS = 4_194_304;

/** The deliver_sm that wait for their owner's answer. */
type Undecided = { count: number; octets: number; isFull: boolean };

/** Full at the limit, and not before half of it is decided: else it would be paused and resumed with each answer. */
function changeUndecided(undecided: Undecided, by: number, octets: number): void {
  undecided.count += by;
  undecided.octets += octets;
  const share = Math.max(undecided.count / MAX_UNDECIDED, undecided.octets / MAX_UNDECIDED_OCTETS);
  undecided.isFull = undecided.isFull ? share > 0.5 : share >= 1;
}

export function socketReader(options: SocketReaderOptions): SocketReader {
  const { clock, frame: handle, fault, guarded } = options;
  const frames = frameReader();
  const undecided: Undecided = { count: 0, octets: 0, isFull: false };
  let isPaused = false;
  let isScheduled = false;
  let isStopped = false;
  let ended: (() => void) | null = null;

  const mayRead = (): boolean => !isStopped && (!undecided.isFull || ended !== null);

  const readPiece = (): void => {
    let octets = 0;
    for (let pdus = 0; pdus < PDUS_A_TURN && octets < OCTETS_A_TURN && mayRead(); pdus++) {
      const frame = frames.next();
      if (frame === null) break;
      octets += frame.length;
      handle(frame);
    }
    if (isStopped) return;
    const broken = frames.fault();
    if (broken === null) goOn();
    else fault(broken);
  };

  const readLater = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    clock.soon(() => {
      isScheduled = false;
      if (mayRead()) guarded(readPiece);
    });
  };

  /** What is to happen after a piece, or when something was decided. */
  const goOn = (): void => {
    const isBehind = frames.hasMore() || undecided.isFull;
    if (isBehind !== isPaused && ended === null) {
      isPaused = isBehind;
      if (isBehind) options.pause();
      else options.resume();
    }
    if (frames.hasMore()) {
      if (mayRead()) readLater();
    } else ended?.();
  };

  return {
    take: (chunk) => {
      frames.push(chunk);
      if (!isPaused && !isScheduled && mayRead()) readPiece();
    },
    begun: (octets) => changeUndecided(undecided, 1, octets),
    decided: (octets) => {
      const wasFull = undecided.isFull;
      changeUndecided(undecided, -1, -octets);
      if (wasFull && !undecided.isFull && !isStopped) goOn();
    },
    finish: (then) => {
      if (isStopped || ended !== null) return;
      ended = then;
      goOn();
    },
    stop: () => {
      isStopped = true;
    },
  };
}
