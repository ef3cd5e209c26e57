import { frameReader } from "../../src/smpp/socket-reader.ts";

/** Whole frames in their order, valid until the next call, and what is wrong with the stream if it can't be followed further. */
export type Split = { readonly frames: readonly Uint8Array[]; readonly fault: string | null };

/** A reader that is given a chunk and gives all of its frames. */
export function frameSplitter(): (chunk: Uint8Array) => Split {
  const reader = frameReader();
  return (chunk) => {
    reader.push(chunk);
    const frames: Uint8Array[] = [];
    for (let frame = reader.next(); frame !== null; frame = reader.next()) frames.push(frame);
    return { frames, fault: reader.fault() };
  };
}
