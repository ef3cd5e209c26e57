import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { readReceipt } from "../../../src/channels/sms/read-deliver-sm.ts";
import { COMMAND_IDS, decodePdu, encodePdu, type Pdu } from "../../../src/smpp/pdu.ts";
import type { ShortMessage } from "../../../src/smpp/short-message.ts";
import { decodeInbound } from "../../../src/text/inbound-text.ts";
import { parseUserData } from "../../../src/text/udh.ts";
import { frameSplitter } from "../../kit/frame-splitter.ts";
import type { Dice } from "../dice.ts";
import { anyParameters, anyPdu, damagedFrame } from "../pdus.ts";
import { isWritable } from "../properties.ts";
import { kindOf, type Target } from "../target.ts";

const IDS = Object.values(COMMAND_IDS);
const MAX_PDU_LENGTH = 65_536;

/** Octets as they come on a connection. */
export const smpp: Target = {
  name: "smpp",
  promise:
    "a stream gives the same frames however it is cut, and each is read or answered, its text and receipt too",
  form: "hex",
  words: ["\0", "\0\0", "\0\0\0\0", "\u0004", "id:", "stat:DELIVRD", "SMPP", "22670123456", "\u001b"],
  longest: 2048,
  isPumped: true,
  draw: (rolls) => {
    const pieces = Array.from({ length: 1 + rolls.below(3) }, () =>
      rolls.below(2) === 0 ? Buffer.from(encodePdu(anyPdu(rolls))) : damagedFrame(rolls),
    );
    return new Uint8Array(Buffer.concat(pieces));
  },
  change: changedFields,
  open: () => ({ run, close: () => {} }),
};

/** A stream with a field of one of its PDUs changed: length, command, status, an optional parameter. */
function changedFields(input: Uint8Array, _other: Uint8Array, rolls: Dice): Uint8Array | null {
  const { below, pick } = rolls;
  if (input.length < 16) return null;
  const stream = Buffer.from(input);
  const starts = framesOf(input).starts;
  const start = pick(starts.length > 0 ? starts : [0]);
  if (start + 16 > stream.length) return null;
  switch (below(5)) {
    case 0:
      stream.writeUInt32BE(
        pick([0, 15, 16, stream.length - start, MAX_PDU_LENGTH, MAX_PDU_LENGTH + 1, 0xffff_ffff]),
        start,
      );
      return new Uint8Array(stream);
    case 1:
      stream.writeUInt32BE(below(4) === 0 ? below(2 ** 32) : pick(IDS), start + 4);
      return new Uint8Array(stream);
    case 2:
      stream.writeUInt32BE(pick([0, 1, 8, 0x58, 0xff, 0xffff_ffff]), start + 8);
      return new Uint8Array(stream);
    case 3: {
      const added = anyParameters(rolls).octets;
      const end = Math.min(stream.length, start + stream.readUInt32BE(start));
      if (end + added.length - start > MAX_PDU_LENGTH || end < start + 16) return null;
      const longer = Buffer.concat([stream.subarray(0, end), added, stream.subarray(end)]);
      longer.writeUInt32BE(end + added.length - start, start);
      return new Uint8Array(longer);
    }
    default: {
      const end = Math.min(stream.length, start + stream.readUInt32BE(start));
      const cut = start + 16 + below(Math.max(1, end - start - 16));
      const shorter = Buffer.concat([stream.subarray(0, cut), stream.subarray(end)]);
      if (cut <= shorter.length) shorter.writeUInt32BE(cut - start, start);
      return new Uint8Array(shorter);
    }
  }
}

/** The frames of a stream, told by lengths alone: what the framing is compared with. */
function framesOf(input: Uint8Array): { readonly starts: readonly number[]; readonly isBroken: boolean } {
  const stream = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const starts: number[] = [];
  let at = 0;
  while (at + 4 <= stream.length) {
    const length = stream.readUInt32BE(at);
    if (length < 16 || length > MAX_PDU_LENGTH) return { starts, isBroken: true };
    if (at + length > stream.length) break;
    starts.push(at);
    at += length;
  }
  return { starts, isBroken: false };
}

function run(input: Uint8Array): string {
  const expected = framesOf(input);
  const whole = frameSplitter()(Uint8Array.from(input));
  const frames = whole.frames.map((frame) => Buffer.from(frame));
  strictEqual(frames.length, expected.starts.length, "as many frames as lengths say");
  strictEqual(whole.fault !== null, expected.isBroken, `fault: ${whole.fault}`);
  const split = frameSplitter();
  const again: Buffer[] = [];
  const step = 1 + (input.length % 37);
  for (let at = 0; at < input.length; at += step) {
    for (const frame of split(Uint8Array.from(input.subarray(at, at + step))).frames)
      again.push(Buffer.from(frame));
  }
  deepStrictEqual(again, frames);
  const [first = "no frame"] = frames.slice(0, 50).map(outcomeOf);
  return whole.fault === null ? first : `stream ${kindOf(whole.fault)}`;
}

function outcomeOf(frame: Buffer): string {
  const decoded = decodePdu(frame);
  strictEqual(decoded.ok ? decoded.pdu.sequence : decoded.sequence, frame.readUInt32BE(12));
  if (!decoded.ok) {
    ok([0x02, 0x0a, 0x0b, 0xc0].includes(decoded.status), `status ${decoded.status}`);
    return `refused ${decoded.status.toString(16)} ${kindOf(decoded.reason).split(" ").slice(0, 2).join(" ")}`;
  }
  const { pdu } = decoded;
  strictEqual(pdu.status, frame.readUInt32BE(8));
  if (isWritable(pdu)) writesTheSame(pdu);
  if (decoded.isBroken) return `broken parameters behind ${pdu.command}`;
  const tlvs = "message" in pdu ? Object.keys(pdu.message.tlvs).length : 0;
  const meant = "message" in pdu ? meaningOf(pdu.message) : "";
  return `${pdu.command}${tlvs === 0 ? "" : " with parameters"}${meant}`;
}

/** What a message that comes in is taken for: its header, text and receipt are read, whatever they are. */
function meaningOf(message: ShortMessage): string {
  const { concatenation, body } = parseUserData(message.shortMessage);
  ok(body.length <= message.shortMessage.length);
  if (concatenation) ok(concatenation.part >= 1 && concatenation.part <= concatenation.total);
  for (const alphabet of ["gsm", "latin1", "ascii"] as const) {
    const text = decodeInbound(body, message.dataCoding, alphabet);
    ok(text === null || (text.isWellFormed() && text.length <= 2 * body.length), "a text that can be kept");
  }
  const receipt = readReceipt(message);
  return receipt === null ? "" : `, a receipt ${receipt.id === null ? "of nothing" : receipt.state}`;
}

function writesTheSame(pdu: Pdu): void {
  const again = decodePdu(encodePdu(pdu));
  ok(again.ok, again.ok ? "" : again.reason);
  if ("message" in pdu && pdu.status === 0) deepStrictEqual(again.pdu, pdu);
  else strictEqual(again.pdu.command, pdu.command);
}
