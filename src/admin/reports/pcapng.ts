/**
 * A capture file that Wireshark and tshark read (pcapng, draft-ietf-opsawg-pcapng), of octets that went over connections of
 * TCP. The packets around them are made up: addresses for documentation (RFC 5737), one packet a piece, a running sequence.
 */

export type Piece = {
  readonly atMs: number;
  /** Whether it went to the server: an SMSC, port 2775. */
  readonly toServer: boolean;
  /** Which connection, from 0: one address of the server each. */
  readonly connection: number;
  readonly octets: Uint8Array;
  /** Shown beside the packet. */
  readonly comment: string | null;
};

/** Packets without a link layer: each begins with its IP header (LINKTYPE_RAW). */
const RAW_IP = 101;
const SMPP_PORT = 2775;
const FIRST_CLIENT_PORT = 50_000;
const CLIENT = [192, 0, 2, 1] as const;

export function pcapng(pieces: readonly Piece[], about: string): Uint8Array {
  const sent = new Map<string, number>();
  const packets = pieces.map((piece) => {
    const names = [
      `${piece.connection} ${piece.toServer}`,
      `${piece.connection} ${!piece.toServer}`,
    ] as const;
    const [sequence, acknowledged] = names.map((name) => sent.get(name) ?? 1);
    sent.set(names[0], (sequence ?? 1) + piece.octets.length);
    const packet = ipPacket(piece, sequence ?? 1, acknowledged ?? 1);
    const us = BigInt(Math.round(piece.atMs)) * 1000n;
    const head = Buffer.alloc(20);
    head.writeUInt32LE(Number(us >> 32n), 4);
    head.writeUInt32LE(Number(us & 0xffff_ffffn), 8);
    head.writeUInt32LE(packet.length, 12);
    head.writeUInt32LE(packet.length, 16);
    return block(6, [head, padded(packet), comment(piece.comment)]);
  });
  return Buffer.concat([sectionHeader(about), interfaceDescription(), ...packets]);
}

function sectionHeader(about: string): Buffer {
  const head = Buffer.alloc(16, 0xff);
  head.writeUInt32LE(0x1a2b3c4d, 0);
  head.writeUInt16LE(1, 4);
  head.writeUInt16LE(0, 6);
  return block(0x0a0d0d0a, [head, comment(about)]);
}

function interfaceDescription(): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(RAW_IP, 0);
  return block(1, [head]);
}

function block(type: number, body: readonly Buffer[]): Buffer {
  const length = body.reduce((sum, { length: octets }) => sum + octets, 12);
  const ends = Buffer.alloc(12);
  ends.writeUInt32LE(type, 0);
  ends.writeUInt32LE(length, 4);
  ends.writeUInt32LE(length, 8);
  return Buffer.concat([ends.subarray(0, 8), ...body, ends.subarray(8)]);
}

/** The option opt_comment and the end of options; nothing where there is none. */
function comment(words: string | null): Buffer {
  if (words === null || words === "") return Buffer.alloc(0);
  const text = Buffer.from(words);
  const head = Buffer.alloc(4);
  head.writeUInt16LE(1, 0);
  head.writeUInt16LE(text.length, 2);
  return Buffer.concat([head, padded(text), Buffer.alloc(4)]);
}

function padded(octets: Buffer): Buffer {
  return Buffer.concat([octets, Buffer.alloc((4 - (octets.length % 4)) % 4)]);
}

/** IPv4 (RFC 791) with TCP (RFC 9293), without options. */
function ipPacket({ toServer, connection, octets }: Piece, sequence: number, acknowledged: number): Buffer {
  const server = [198, 51, 100, 1 + (connection % 254)];
  const [from, to] = toServer ? [CLIENT, server] : [server, CLIENT];
  const clientPort = FIRST_CLIENT_PORT + connection;
  const packet = Buffer.alloc(40 + octets.length);
  packet[0] = 0x45;
  packet.writeUInt16BE(packet.length, 2);
  packet.writeUInt16BE(0x4000, 6);
  packet[8] = 64;
  packet[9] = 6;
  packet.set(from, 12);
  packet.set(to, 16);
  packet.writeUInt16BE(checksum(packet.subarray(0, 20)), 10);
  const tcp = packet.subarray(20);
  tcp.writeUInt16BE(toServer ? clientPort : SMPP_PORT, 0);
  tcp.writeUInt16BE(toServer ? SMPP_PORT : clientPort, 2);
  tcp.writeUInt32BE(sequence, 4);
  tcp.writeUInt32BE(acknowledged, 8);
  tcp[12] = 0x50;
  tcp[13] = 0x18;
  tcp.writeUInt16BE(0xffff, 14);
  tcp.set(octets, 20);
  const pseudo = Buffer.from([...from, ...to, 0, 6, tcp.length >> 8, tcp.length & 0xff]);
  tcp.writeUInt16BE(checksum(Buffer.concat([pseudo, tcp])), 16);
  return packet;
}

/** The internet checksum (RFC 1071). */
function checksum(octets: Buffer): number {
  let sum = 0;
  for (let at = 0; at < octets.length; at += 2) sum += ((octets[at] ?? 0) << 8) | (octets[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return ~sum & 0xffff;
}
