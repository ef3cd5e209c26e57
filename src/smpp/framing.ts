/** Header only: the shortest PDU there is (SMPP 3.4 section 3.2). */
const SHORTEST_FRAME = 16;
/** Well above a deliver_sm with a full message_payload of ordinary size, well below what hurts. */
const LONGEST_FRAME = 65_536;

/** Whole frames in their order, and what is wrong with the stream if it cannot be followed any further. */
export type Split = { readonly frames: readonly Uint8Array[]; readonly fault: string | null };

/** Cuts a byte stream into frames, however the network cut it before. */
export type FrameSplitter = (chunk: Uint8Array) => Split;

/**
 * A splitter for one connection. A frame is valid until the next call: it may be a view of the chunk. Every octet is
 * copied at most once. A command_length outside 16 to 65,536 is a fault for good: the place of the next
 * frame is then unknown, and the connection has to be closed.
 */
export function frameSplitter(): FrameSplitter {
  /** The beginning of a frame that is not all here: first room for a header, then for the whole frame. */
  let partial = new Uint8Array(SHORTEST_FRAME);
  let held = 0;
  let fault: string | null = null;

  /** Moves octets of the chunk behind the held ones, `wanted` in all. The offset after the last octet taken. */
  const hold = (chunk: Uint8Array, offset: number, wanted: number): number => {
    const end = Math.min(chunk.length, offset + wanted - held);
    partial.set(chunk.subarray(offset, end), held);
    held += end - offset;
    return end;
  };

  const checked = (length: number): boolean => {
    if (length >= SHORTEST_FRAME && length <= LONGEST_FRAME) return true;
    fault = `command_length ${length} is not between ${SHORTEST_FRAME} and ${LONGEST_FRAME}`;
    return false;
  };

  return (chunk) => {
    const frames: Uint8Array[] = [];
    let offset = 0;
    while (fault === null && offset < chunk.length) {
      if (held === 0 && chunk.length - offset >= 4) {
        const length = lengthAt(chunk, offset);
        if (!checked(length)) break;
        if (chunk.length - offset >= length) {
          frames.push(chunk.subarray(offset, offset + length));
          offset += length;
          continue;
        }
      }
      if (held < 4) {
        offset = hold(chunk, offset, 4);
        if (held < 4 || !checked(lengthAt(partial, 0))) break;
      }
      const length = lengthAt(partial, 0);
      if (partial.length < length) {
        const whole = new Uint8Array(length);
        whole.set(partial.subarray(0, held));
        partial = whole;
      }
      offset = hold(chunk, offset, length);
      if (held === length) {
        frames.push(partial.subarray(0, length));
        partial = new Uint8Array(SHORTEST_FRAME);
        held = 0;
      }
    }
    return { frames, fault };
  };
}

function lengthAt(octets: Uint8Array, offset: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = octets.subarray(offset, offset + 4);
  return a * 0x1000000 + (b << 16) + (c << 8) + d;
}
