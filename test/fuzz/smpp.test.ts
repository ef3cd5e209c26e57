import { describe, expect, test } from "vitest";
import { COMMAND_IDS } from "../../src/smpp/command.ts";
import { frameSplitter } from "../../src/smpp/framing.ts";
import { candidateIds, canonicalId } from "../../src/smpp/message-id.ts";
import { decodePdu, encodePdu } from "../../src/smpp/pdu.ts";
import { readReceipt } from "../../src/smpp/receipt.ts";
import { shortMessage } from "../../src/smpp/short-message.ts";
import { seededChance } from "../kit/test-chance.ts";

/** Longer runs: FUZZ_ROUNDS=1000000, another seed: FUZZ_SEED=7. */
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 3_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

function dice(seed: number) {
  const chance = seededChance(seed);
  const below = (limit: number) => Math.floor(chance.fraction() * limit);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const ascii = (longest: number) =>
    Array.from({ length: below(longest) }, () => String.fromCharCode(1 + below(127))).join("");
  return { below, pick, ascii, bytes: chance.bytes };
}

function randomMessage({ below, ascii, bytes }: ReturnType<typeof dice>) {
  return shortMessage({
    serviceType: ascii(6),
    sourceAddrTon: below(256),
    sourceAddr: ascii(21),
    destAddrNpi: below(256),
    destinationAddr: ascii(21),
    esmClass: below(256),
    validityPeriod: ascii(17),
    registeredDelivery: below(256),
    dataCoding: below(256),
    shortMessage: bytes(below(255)),
    tlvs: {
      ...(below(2) && { messagePayload: bytes(below(2_000)) }),
      ...(below(2) && { receiptedMessageId: `x${ascii(64)}` }),
      ...(below(2) && { messageState: below(256) }),
      ...(below(2) && { sarMsgRefNum: below(65_536) }),
    },
  });
}

describe("SMPP bytes", () => {
  test("any message passes the wire unchanged", () => {
    const rolls = dice(SEED);
    for (let round = 0; round < ROUNDS; round++) {
      const pdu = {
        command: rolls.pick(["submit_sm", "deliver_sm"] as const),
        sequence: 1 + rolls.below(0x7fffffff),
        status: 0,
        message: randomMessage(rolls),
      };
      expect(decodePdu(encodePdu(pdu))).toEqual({ ok: true, pdu });
    }
  });

  test("random and damaged frames are answered, never thrown, and keep their sequence", () => {
    const rolls = dice(SEED + 1);
    const ids = Object.values(COMMAND_IDS);
    for (let round = 0; round < ROUNDS; round++) {
      const whole =
        rolls.below(2) === 0
          ? Buffer.from(rolls.bytes(16 + rolls.below(120)))
          : Buffer.from(
              encodePdu({ command: "deliver_sm", sequence: 1, status: 0, message: randomMessage(rolls) }),
            );
      for (let damage = rolls.below(4); damage > 0; damage--) {
        whole[16 + rolls.below(Math.max(1, whole.length - 16))] = rolls.below(256);
      }
      const frame = whole.subarray(0, 16 + rolls.below(whole.length - 15));
      frame.writeUInt32BE(frame.length, 0);
      if (rolls.below(8) > 0) frame.writeUInt32BE(rolls.pick(ids), 4);
      const sequence = frame.readUInt32BE(12);
      const decoded = decodePdu(frame);
      expect(decoded.ok ? decoded.pdu.sequence : decoded.sequence).toBe(sequence);
      if (decoded.ok && "message" in decoded.pdu) readReceipt(decoded.pdu.message);
    }
  });

  test("a stream cut anywhere gives the same frames", () => {
    const rolls = dice(SEED + 2);
    for (let round = 0; round < ROUNDS / 50; round++) {
      const sent = Array.from({ length: 1 + rolls.below(20) }, () =>
        encodePdu({ command: "submit_sm", sequence: 1, status: 0, message: randomMessage(rolls) }),
      );
      const stream = Buffer.concat(sent);
      const split = frameSplitter();
      const received: Buffer[] = [];
      for (let offset = 0; offset < stream.length; ) {
        const length = 1 + rolls.below(rolls.pick([2, 40, 4_000]));
        const { frames } = split(new Uint8Array(stream.subarray(offset, offset + length)));
        for (const frame of frames) received.push(Buffer.from(frame));
        offset += length;
      }
      expect(Buffer.concat(received).equals(stream)).toBe(true);
      expect(received.length).toBe(sent.length);
    }
  });

  test("noise never breaks the splitter, and a frame it gives has the length it says", () => {
    const rolls = dice(SEED + 3);
    for (let round = 0; round < ROUNDS; round++) {
      const split = frameSplitter();
      const noise = rolls.bytes(rolls.below(200));
      if (noise.length > 2) noise.fill(0, 0, 3);
      for (const frame of split(noise).frames) {
        expect(Buffer.from(frame).readUInt32BE(0)).toBe(frame.length);
      }
      split(rolls.bytes(50));
    }
  });
});

test("receipt texts made of pieces in any order are read, and never with words from behind Text:", () => {
  const rolls = dice(SEED + 4);
  const stats = ["DELIVRD", "EXPIRED", "UNDELIV", "REJECTD", "ACCEPTD", "xyz"];
  for (let round = 0; round < ROUNDS; round++) {
    const id = `${rolls.below(1e9)}`;
    const stat = rolls.pick(stats);
    const pieces = [`id:${id}`, `sub:001`, `dlvrd:000`, `submit date:2603020900`, `stat:${stat}`, "err:1b"];
    pieces.sort(() => rolls.below(3) - 1);
    const octets = Buffer.from(`${pieces.join(" ")} Text:id:666 stat:FAILED ${rolls.ascii(40)}`, "latin1");
    const receipt = readReceipt(shortMessage({ shortMessage: new Uint8Array(octets) }));
    expect(receipt).toMatchObject({ id, rawStat: stat.toUpperCase(), errorCode: "1b" });
    expect(readReceipt(shortMessage({ esmClass: 4, shortMessage: rolls.bytes(rolls.below(200)) }))).not.toBe(
      null,
    );
  }
});

test("every candidate form of any id is canonical", () => {
  const rolls = dice(SEED + 5);
  for (let round = 0; round < ROUNDS; round++) {
    for (const candidate of candidateIds(rolls.ascii(30))) expect(canonicalId(candidate)).toBe(candidate);
  }
});
