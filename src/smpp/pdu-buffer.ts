/** Memory that PDUs are written into, one behind the other, and that is used again once they have left. */
export type PduBuffer = {
  octets: Buffer<ArrayBuffer>;
  /** Octets that are written. */
  length: number;
};

const FIRST_OCTETS = 4_096;

export function pduBuffer(): PduBuffer {
  return { octets: Buffer.alloc(FIRST_OCTETS), length: 0 };
}

/** The memory, with room for so many octets behind those that are written. */
export function reserveOctets(buffer: PduBuffer, count: number): Buffer<ArrayBuffer> {
  const wanted = buffer.length + count;
  if (wanted > buffer.octets.length) {
    const larger = Buffer.alloc(Math.max(wanted, 2 * buffer.octets.length));
    larger.set(buffer.octets.subarray(0, buffer.length));
    buffer.octets = larger;
  }
  return buffer.octets;
}

/** Writes octets as they are. */
export function appendOctets(buffer: PduBuffer, octets: Uint8Array): void {
  reserveOctets(buffer, octets.length).set(octets, buffer.length);
  buffer.length += octets.length;
}
