/**
 * Reads a session's socket in bounded pieces: a few milliseconds of it a turn of the event loop, and no further while too many
 * deliver_sm are undecided. Until then the socket is not read either, so that the operator's octets stay where the network keeps
 * them, however many it writes at once.
 *
 * PDUs are taken in their order, so a response to a submit waits behind the deliver_sm before it. Those are decided by the
 * database alone and need nothing from this socket, so the reading always goes on.
 */
import type { Clock } from "../core/clock.ts";

export type SocketReader = {
  /** Octets came. */
  readonly take: (chunk: Uint8Array) => void;
  /** A deliver_sm of so many octets waits for its owner's answer. */
  readonly begun: (octets: number) => void;
  /** It was answered. */
  readonly decided: (octets: number) => void;
  /** Nothing is read until it is released: neither the socket nor what came already. To be called from `frame` or outside. */
  readonly hold: () => void;
  readonly release: () => void;
  /** The other side is gone: what is here is read to its end, whatever waits, and then `ended` is called. */
  readonly finish: (ended: () => void) => void;
  /** Nothing is read any more. */
  readonly stop: () => void;
};

type SocketReaderOptions = {
  readonly clock: Clock;
  /** One whole frame, valid during the call. */
  readonly frame: (frame: Uint8Array) => void;
  /** The stream cannot be followed any further. */
  readonly fault: (fault: string) => void;
  /** The socket is to be paused, or to be read on. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Runs around every turn of its own: the caller decides what an error in it means. */
  readonly guarded: (work: () => void) => void;
  /** The longest frame; 65,536 octets unless given. */
  readonly maxFrame?: number;
};

/** PDUs read in one turn of the event loop, if its time allows. Facts of one turn share a transaction, so not too few. */
const PDUS_A_TURN = 100;
const OCTETS_A_TURN = 65_536;
/** deliver_sm that wait for their answer: what the writer takes in a few turns. An OTP that comes meanwhile is written after them. */
export const MAX_UNDECIDED = 400;
const MAX_UNDECIDED_OCTETS = 4_194_304;

/** The deliver_sm that wait for their owner's answer. */
type Undecided = { count: number; octets: number; isFull: boolean };

/** Full at the limit, until half of it is decided: otherwise it would be paused and resumed with each answer. */
function changeUndecided(undecided: Undecided, by: number, octets: number): void {
  undecided.count += by;
  undecided.octets += octets;
  const share = Math.max(undecided.count / MAX_UNDECIDED, undecided.octets / MAX_UNDECIDED_OCTETS);
  undecided.isFull = undecided.isFull ? share > 0.5 : share >= 1;
}

export function socketReader(options: SocketReaderOptions): SocketReader {
  const { clock, frame: handle, fault, guarded } = options;
  const frames = frameReader(options.maxFrame);
  const undecided: Undecided = { count: 0, octets: 0, isFull: false };
  let isPaused = false;
  let isScheduled = false;
  let isStopped = false;
  let isHeld = false;
  let ended: (() => void) | null = null;

  const mayRead = (): boolean => !isStopped && !isHeld && (!undecided.isFull || ended !== null);

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

  /** Sets what happens after a piece, or when something was decided. */
  const goOn = (): void => {
    const isBehind = frames.hasMore() || undecided.isFull || isHeld;
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
    hold: () => {
      isHeld = true;
      if (!isPaused && !isStopped && ended === null) {
        isPaused = true;
        options.pause();
      }
    },
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      if (!isStopped) goOn();
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

/** Header only: the shortest PDU there is (SMPP 3.4 section 3.2). */
const MIN_FRAME = 16;
/** Well above a deliver_sm with a full message_payload of ordinary size, well below what hurts. */
const MAX_FRAME_LENGTH = 65_536;

/**
 * Cuts a byte stream into frames, however the network cut it before, one at a time as they are asked for. A command_length
 * outside 16 to the longest is a fault for good: where the next frame begins is then unknown, and the connection has to be closed.
 */
type FrameReader = {
  /** Octets that came. They are kept as they are until they are read. */
  readonly push: (chunk: Uint8Array) => void;
  /** The next whole frame, or null when it is not all here. Valid until the next call: it may be a view of a chunk. */
  readonly next: () => Uint8Array | null;
  /** Octets are here that `next` has not looked at. */
  readonly hasMore: () => boolean;
  /** Why the stream can't be followed any further; null while it can. */
  readonly fault: () => string | null;
};

type Reading = {
  readonly chunks: Uint8Array[];
  /** Octets of the first chunk that were read. */
  offset: number;
  /** The beginning of a frame that is not all here: first room for a header, then for the whole frame. */
  partial: Uint8Array;
  /** Octets of it that are here. */
  held: number;
  fault: string | null;
  readonly maxFrame: number;
};

/** A reader for one connection. Every octet is copied at most once. */
export function frameReader(maxFrame = MAX_FRAME_LENGTH): FrameReader {
  const reading: Reading = {
    chunks: [],
    offset: 0,
    partial: new Uint8Array(MIN_FRAME),
    held: 0,
    fault: null,
    maxFrame,
  };
  return {
    push: (chunk) => {
      reading.chunks.push(chunk);
    },
    next: () => {
      for (let chunk = current(reading); chunk && reading.fault === null; chunk = current(reading)) {
        const frame = whole(reading, chunk) ?? (reading.fault === null ? completed(reading, chunk) : null);
        if (frame) return frame;
      }
      return null;
    },
    hasMore: () => reading.fault === null && current(reading) !== undefined,
    fault: () => reading.fault,
  };
}

/** The chunk that is read, with something left to read in it. */
function current(reading: Reading): Uint8Array | undefined {
  const { chunks } = reading;
  while (chunks[0] && reading.offset === chunks[0].length) {
    chunks.shift();
    reading.offset = 0;
  }
  return chunks[0];
}

/** A frame that is whole within the chunk, as a view of it; null when it has to be held, or is none. */
function whole(reading: Reading, chunk: Uint8Array): Uint8Array | null {
  const { offset } = reading;
  if (reading.held > 0 || chunk.length - offset < 4) return null;
  const length = lengthAt(chunk, offset);
  if (!isFrameLength(reading, length) || chunk.length - offset < length) return null;
  reading.offset += length;
  return chunk.subarray(offset, offset + length);
}

/** The frame that the chunk completes; null when even with it there is only a part. */
function completed(reading: Reading, chunk: Uint8Array): Uint8Array | null {
  if (reading.held < 4) {
    hold(reading, chunk, 4);
    if (reading.held < 4 || !isFrameLength(reading, lengthAt(reading.partial, 0))) return null;
  }
  const length = lengthAt(reading.partial, 0);
  if (reading.partial.length < length) {
    const room = new Uint8Array(length);
    room.set(reading.partial.subarray(0, reading.held));
    reading.partial = room;
  }
  hold(reading, chunk, length);
  if (reading.held < length) return null;
  const frame = reading.partial.subarray(0, length);
  reading.partial = new Uint8Array(MIN_FRAME);
  reading.held = 0;
  return frame;
}

/** Moves octets of the chunk behind the held ones, until there are `wanted` of them or the chunk is used up. */
function hold(reading: Reading, chunk: Uint8Array, wanted: number): void {
  const { offset, held } = reading;
  const end = Math.min(chunk.length, offset + wanted - held);
  reading.partial.set(chunk.subarray(offset, end), held);
  reading.held += end - offset;
  reading.offset = end;
}

function isFrameLength(reading: Reading, length: number): boolean {
  if (length >= MIN_FRAME && length <= reading.maxFrame) return true;
  reading.fault = `command_length ${length} is not between ${MIN_FRAME} and ${reading.maxFrame}`;
  return false;
}

function lengthAt(octets: Uint8Array, at: number): number {
  const low = ((octets[at + 1] ?? 0) << 16) + ((octets[at + 2] ?? 0) << 8) + (octets[at + 3] ?? 0);
  return (octets[at] ?? 0) * 0x1000000 + low;
}
