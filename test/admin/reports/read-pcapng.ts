/** A reader of capture files of our own, so that the writer is not its own judge. */
export type ReadPiece = {
  readonly atMs: number;
  readonly toServer: boolean;
  readonly client: string;
  readonly server: string;
  readonly sequence: number;
  readonly acknowledged: number;
  readonly octets: Buffer;
  readonly comment: string | null;
  /** The checksums of IP and TCP add up. */
  readonly isSound: boolean;
};

export function piecesOf(file: Uint8Array): {
  readonly about: string | null;
  readonly pieces: readonly ReadPiece[];
} {
  const all = Buffer.from(file);
  let about: string | null = null;
  const pieces: ReadPiece[] = [];
  for (let at = 0; at < all.length; ) {
    const [type, length] = [all.readUInt32LE(at), all.readUInt32LE(at + 4)];
    if (length % 4 !== 0 || all.readUInt32LE(at + length - 4) !== length)
      throw new Error("a block does not close");
    const body = all.subarray(at + 8, at + length - 4);
    if (at === 0 && type !== 0x0a0d0d0a) throw new Error("no section header");
    if (type === 0x0a0d0d0a) about = commentIn(body.subarray(16));
    else if (type === 1) {
      if (body.readUInt16LE(0) !== 101) throw new Error("another link layer");
    } else if (type === 6) pieces.push(pieceOf(body));
    else throw new Error(`block ${type}`);
    at += length;
  }
  return { about, pieces };
}

function pieceOf(body: Buffer): ReadPiece {
  const us = (BigInt(body.readUInt32LE(4)) << 32n) | BigInt(body.readUInt32LE(8));
  const length = body.readUInt32LE(12);
  const ip = body.subarray(20, 20 + length);
  const tcp = ip.subarray(20);
  const [from, to] = [12, 16].map((at) => [...ip.subarray(at, at + 4)].join("."));
  const [source, destination] = [tcp.readUInt16BE(0), tcp.readUInt16BE(2)];
  const toServer = destination === 2775;
  const ends = [`${from}:${source}`, `${to}:${destination}`];
  const [client = "", server = ""] = toServer ? ends : ends.toReversed();
  const pseudo = Buffer.concat([
    ip.subarray(12, 20),
    Buffer.of(0, 6, tcp.length >> 8, tcp.length & 255),
    tcp,
  ]);
  return {
    atMs: Number(us) / 1000,
    toServer,
    client,
    server,
    octets: tcp.subarray(20),
    sequence: tcp.readUInt32BE(4),
    acknowledged: tcp.readUInt32BE(8),
    comment: commentIn(body.subarray(20 + Math.ceil(length / 4) * 4)),
    isSound:
      ip.readUInt16BE(2) === length && [ip.subarray(0, 20), pseudo].every((part) => sumOf(part) === 0xffff),
  };
}

function sumOf(octets: Buffer): number {
  let sum = 0;
  for (const [index, octet] of octets.entries()) sum += index % 2 === 0 ? octet * 256 : octet;
  while (sum > 0xffff) sum = (sum % 0x10000) + Math.floor(sum / 0x10000);
  return sum;
}

function commentIn(options: Buffer): string | null {
  if (options.length === 0) return null;
  if (options.readUInt16LE(0) !== 1) throw new Error("an option that is no comment");
  const length = options.readUInt16LE(2);
  const end = 4 + Math.ceil(length / 4) * 4;
  if (options.length !== end + 4 || options.readUInt32LE(end) !== 0) throw new Error("options do not end");
  return options.subarray(4, 4 + length).toString();
}
