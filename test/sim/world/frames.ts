/** Cuts what arrives into whole PDUs by their command_length (SMPP 3.4, 3.2); what is no length ends the following. */
export function frames(whole: (octets: Uint8Array) => void): (octets: Uint8Array) => void {
  let rest = new Uint8Array(0);
  let isLost = false;
  return (octets) => {
    if (isLost) return;
    const joined = new Uint8Array(rest.length + octets.length);
    joined.set(rest);
    joined.set(octets, rest.length);
    rest = joined;
    while (rest.length >= 4) {
      const length = new DataView(rest.buffer, rest.byteOffset).getUint32(0);
      if (length < 16 || length > 1_000_000) {
        isLost = true;
        return;
      }
      if (rest.length < length) return;
      whole(rest.slice(0, length));
      rest = rest.slice(length);
    }
  };
}
