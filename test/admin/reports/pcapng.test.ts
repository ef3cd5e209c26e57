import { describe, expect, test } from "vitest";
import { type Piece, pcapng } from "../../../src/admin/reports/pcapng.ts";
import { piecesOf } from "./read-pcapng.ts";

const octets = (words: string) => new Uint8Array(Buffer.from(words));
const PIECES: readonly Piece[] = [
  { atMs: 1_772_442_000_123, toServer: true, connection: 0, octets: octets("submit"), comment: "made again" },
  { atMs: 1_772_442_000_124, toServer: false, connection: 0, octets: octets("answer"), comment: null },
  { atMs: 1_772_442_000_125, toServer: true, connection: 0, octets: octets("more"), comment: null },
  { atMs: 1_772_442_000_126, toServer: true, connection: 3, octets: octets("elsewhere"), comment: "é" },
];

describe("a capture file", () => {
  test("holds each piece with its time, its way and its comment", () => {
    const { about, pieces } = piecesOf(pcapng(PIECES, "what it is"));
    expect(about).toBe("what it is");
    expect(
      pieces.map(({ atMs, toServer, comment, octets: read }) => [atMs, toServer, comment, read.toString()]),
    ).toEqual([
      [1_772_442_000_123, true, "made again", "submit"],
      [1_772_442_000_124, false, null, "answer"],
      [1_772_442_000_125, true, null, "more"],
      [1_772_442_000_126, true, "é", "elsewhere"],
    ]);
  });

  test("has a running sequence for each connection and way, and right checksums", () => {
    const { pieces } = piecesOf(pcapng(PIECES, "x"));
    expect(
      pieces.map(({ client, server, sequence, acknowledged }) => [client, server, sequence, acknowledged]),
    ).toEqual([
      ["192.0.2.1:50000", "198.51.100.1:2775", 1, 1],
      ["192.0.2.1:50000", "198.51.100.1:2775", 1, 7],
      ["192.0.2.1:50000", "198.51.100.1:2775", 7, 7],
      ["192.0.2.1:50003", "198.51.100.4:2775", 1, 1],
    ]);
    expect(pieces.every(({ isSound }) => isSound)).toBe(true);
  });

  test("without a piece is a file all the same", () => {
    expect(piecesOf(pcapng([], "")).pieces).toEqual([]);
  });
});
