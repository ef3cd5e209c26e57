/** PDUs cut out of a stream of octets by their command_length (SMPP 3.4, 3.2). Shares nothing with the appliance's own framing. */

/** What came: whole PDUs, and whether what follows them can be no PDU, so that the stream is lost. */
export type Cut = { readonly frames: readonly Uint8Array[]; readonly isLost: boolean };

const HEADER = 16;
const LARGEST = 70_000;

/** Takes octets as they come and gives the PDUs that are whole; each is a copy. Nothing more comes of a stream that is lost. */
export function frameCutter(): (octets: Uint8Array) => Cut {
  let rest: Uint8Array = new Uint8Array(0);
  let isLost = false;
  return (octets) => {
    if (isLost) return { frames: [], isLost };
    const all = rest.length === 0 ? octets : joined(rest, octets);
    const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
    const frames: Uint8Array[] = [];
    let at = 0;
    while (all.length - at >= 4) {
      const length = view.getUint32(at);
      isLost = length < HEADER || length > LARGEST;
      if (isLost || all.length - at < length) break;
      frames.push(all.slice(at, at + length));
      at += length;
    }
    rest = isLost ? new Uint8Array(0) : all.slice(at);
    return { frames, isLost };
  };
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
