import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { readReceipt } from "../../src/channels/sms/read-deliver-sm.ts";
import { candidateIds, canonicalId } from "../../src/channels/sms/receipt-keys.ts";
import { createEsmeSession, stepEsme } from "../../src/smpp/esme-session.ts";
import { NO_HISTORY } from "../../src/smpp/liveness.ts";
import {
  type Decoded,
  decodeByTable,
  decodePdu,
  encodeByTable,
  encodePdu,
  type Pdu,
  toCommand,
} from "../../src/smpp/pdu.ts";
import { ESM_RECEIPT, type ShortMessage, shortMessage } from "../../src/smpp/short-message.ts";
import { createSmscSession, stepSmsc } from "../../src/smpp/smsc-session.ts";
import { frameSplitter } from "../kit/frame-splitter.ts";
import { bind, samplePdu } from "../smpp/sample-pdu.ts";
import type { Dice } from "./dice.ts";
import { anyMessage, anyParameters, anyPdu, damagedFrame } from "./pdus.ts";
import { maybeReceipt, receiptText } from "./receipt-texts.ts";

/** Something that holds for every input; `check` draws one and throws when it does not. */
export type Property = { readonly name: string; readonly check: (rolls: Dice) => void };

export const PROPERTIES: readonly Property[] = [
  { name: "any PDU passes the wire unchanged", check: passesUnchanged },
  { name: "a damaged frame is answered, never thrown, and keeps its sequence", check: damagedIsAnswered },
  { name: "nothing outside a frame is read, and nothing of it is kept", check: staysInTheFrame },
  { name: "what was read from a damaged frame can be written, and reads the same", check: readsTheSameAgain },
  { name: "a request cut anywhere is refused", check: cutRequestIsRefused },
  { name: "a command_length that lies is refused", check: lyingLengthIsRefused },
  {
    name: "optional parameters are read when sound and told when not",
    check: parametersAreSoundOrTold,
  },
  {
    name: "a stream cut anywhere gives the same frames, and noise behind them takes none away",
    check: anyCut,
  },
  { name: "noise is framed as it says or reported", check: noiseIsFramedOrReported },
  { name: "a session outlives whatever a bound link brings", check: sessionOutlives },
  { name: "a centre's session outlives whatever its client brings", check: centreOutlives },
  { name: "a receipt in any order is read, and never from behind Text:", check: receiptIsRead },
  { name: "a mutated receipt is read or passed over", check: mutatedReceipt },
  { name: "every candidate form of any id is canonical", check: candidatesAreCanonical },
  {
    name: "a PDU is written as the package's tables write it, and refused where they refuse it",
    check: writtenAsByTable,
  },
  {
    name: "a frame is read as the package's tables read it, and refused where they refuse it",
    check: readAsByTable,
  },
];

function passesUnchanged(rolls: Dice): void {
  const pdu = anyPdu(rolls);
  deepStrictEqual(decodePdu(encodePdu(pdu)), { ok: true, pdu });
}

/** A PDU like any other, or with a field that the wire has no room for. */
function perhapsUnwritable(rolls: Dice): Pdu {
  const { below, pick, bytes } = rolls;
  const pdu = anyPdu(rolls);
  if ("messageId" in pdu) return { ...pdu, messageId: pick([pdu.messageId, null, "", "é", "a\0b"]) };
  if (!("message" in pdu)) return pdu;
  const field = pick([
    { sourceAddr: pick(["é", "a\0b", "€"]) },
    { destinationAddr: `2267${pick(["\0", "\u007f", "\u0080"])}` },
    { esmClass: pick([256, -1, 255]) },
    { smDefaultMsgId: pick([0, 1_000]) },
    { shortMessage: bytes(250 + below(10)) },
    { tlvs: { sarMsgRefNum: pick([0, 65_535, 65_536]), sarTotalSegments: pick([0, 255, 256, -1]) } },
    { tlvs: { receiptedMessageId: pick(["", "é", "€", "a\0b"]), messageState: below(300) } },
    { tlvs: { messagePayload: bytes(pick([0, 65_535, 65_536])) } },
    {},
  ]);
  return { ...pdu, message: { ...pdu.message, ...field } };
}

function outcomeOf<T>(work: () => T): T | "refused" {
  try {
    return work();
  } catch {
    return "refused";
  }
}

function writtenAsByTable(rolls: Dice): void {
  const pdu = perhapsUnwritable(rolls);
  const hex = (write: (pdu: Pdu) => Uint8Array) => outcomeOf(() => Buffer.from(write(pdu)).toString("hex"));
  strictEqual(hex(encodePdu), hex(encodeByTable));
}

function readAsByTable(rolls: Dice): void {
  const frame = damagedFrame(rolls);
  const command = toCommand(frame.readUInt32BE(4));
  if (command !== undefined) deepStrictEqual(decodePdu(frame), decodeByTable(command, frame));
}

function sequenceOf(decoded: Decoded): number {
  return decoded.ok ? decoded.pdu.sequence : decoded.sequence;
}

function damagedIsAnswered(rolls: Dice): void {
  const frame = damagedFrame(rolls);
  const decoded = decodePdu(frame);
  strictEqual(sequenceOf(decoded), frame.readUInt32BE(12));
  if (!decoded.ok) ok([0x02, 0x0a, 0x0b, 0xc0].includes(decoded.status), `status ${decoded.status}`);
}

/** The same octets between different neighbours read the same, and the result survives the frame. */
function staysInTheFrame(rolls: Dice): void {
  const frame = damagedFrame(rolls);
  const between = (neighbour: number): Decoded => {
    const room = Buffer.alloc(frame.length + 600, neighbour);
    frame.copy(room, 300);
    const decoded = decodePdu(room.subarray(300, 300 + frame.length));
    room.fill(neighbour);
    return decoded;
  };
  deepStrictEqual(between(0x41), between(0x00));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: every ASCII character but NUL is what the wire takes
const ASCII = /^[\x01-\x7f]*$/;

/** What our own side may write: the wire brings octets above 0x7F and longer texts, which we never send. */
export function isWritable(pdu: Pdu): boolean {
  if (pdu.command === "unsupported") return false;
  const texts: unknown[] = Object.values({
    ...pdu,
    ...("bind" in pdu && pdu.bind),
    ...("message" in pdu && pdu.message),
  });
  if ("message" in pdu) texts.push(pdu.message.tlvs.receiptedMessageId);
  return (
    !("message" in pdu && hasWideNumber(pdu.message.tlvs)) &&
    !("scInterfaceVersion" in pdu && (pdu.scInterfaceVersion ?? 0) > 0xff) &&
    texts.every((text) => typeof text !== "string" || ASCII.test(text)) &&
    !("message" in pdu && pdu.message.shortMessage.length > 254)
  );
}

/** Numbers are read of up to four octets, whatever their length should have been. */
function hasWideNumber(tlvs: ShortMessage["tlvs"]): boolean {
  const { sarMsgRefNum = 0, sarTotalSegments = 0, sarSegmentSeqnum = 0, messageState = 0 } = tlvs;
  return sarMsgRefNum > 0xffff || Math.max(sarTotalSegments, sarSegmentSeqnum, messageState) > 0xff;
}

function readsTheSameAgain(rolls: Dice): void {
  const decoded = decodePdu(damagedFrame(rolls));
  if (!decoded.ok || !isWritable(decoded.pdu)) return;
  const { pdu } = decoded;
  if ("message" in pdu && pdu.status !== 0) return;
  const again = decodePdu(encodePdu(pdu));
  ok(again.ok, again.ok ? "" : again.reason);
  strictEqual(again.pdu.command, pdu.command);
  if ("message" in pdu && "message" in again.pdu) deepStrictEqual(again.pdu.message, pdu.message);
  if ("bind" in pdu && "bind" in again.pdu) deepStrictEqual(again.pdu.bind, pdu.bind);
}

function lyingLengthIsRefused(rolls: Dice): void {
  const { below, pick } = rolls;
  const frame = Buffer.from(encodePdu(anyPdu(rolls)));
  const said = pick([
    0,
    1,
    15,
    frame.length - 1,
    frame.length + 1,
    0xffff,
    0x7fff_ffff,
    0xffff_ffff,
    below(2 ** 32),
  ]);
  if (said === frame.length) return;
  frame.writeUInt32BE(said, 0);
  const decoded = decodePdu(frame);
  deepStrictEqual([decoded.ok, sequenceOf(decoded)], [false, frame.readUInt32BE(12)]);
  const { frames, fault } = frameSplitter()(frame);
  if (said < 16 || said > 65_536) deepStrictEqual([frames.length, fault !== null], [0, true]);
  else if (said > frame.length) deepStrictEqual([frames.length, fault], [0, null]);
  else strictEqual(frames[0]?.length, said);
}

/** Without optional parameters, every proper beginning of a request lacks something. */
function cutRequestIsRefused(rolls: Dice): void {
  const drawn = anyPdu(rolls);
  const pdu = "message" in drawn ? { ...drawn, message: { ...drawn.message, tlvs: {} } } : drawn;
  const whole = Buffer.from(encodePdu(pdu));
  if (whole.length === 16 || whole.readUInt32BE(4) >= 0x8000_0000) return;
  const frame = whole.subarray(0, 16 + rolls.below(whole.length - 16));
  frame.writeUInt32BE(frame.length, 0);
  const decoded = decodePdu(frame);
  deepStrictEqual([decoded.ok, decoded.ok || decoded.status], [false, 0x02]);
}

function parametersAreSoundOrTold(rolls: Dice): void {
  const message = { ...anyMessage(rolls), tlvs: {} };
  const bare = encodePdu({ command: "deliver_sm", sequence: 7, status: 0, message });
  const { octets, isSound } = anyParameters(rolls);
  const frame = Buffer.concat([bare, octets]);
  frame.writeUInt32BE(frame.length, 0);
  const decoded = decodePdu(frame);
  ok(decoded.ok && "message" in decoded.pdu);
  strictEqual(decoded.isBroken ?? false, !isSound);
  deepStrictEqual({ ...decoded.pdu.message, tlvs: {} }, message);
}

function anyCut(rolls: Dice): void {
  const { below, pick, bytes } = rolls;
  const sent = Array.from({ length: 1 + below(6) }, () => Buffer.from(encodePdu(anyPdu(rolls))));
  const stream = Buffer.concat([...sent, bytes(below(40))]);
  const split = frameSplitter();
  const received: Buffer[] = [];
  const widest = pick([2, 40, 4_000]);
  for (let offset = 0; offset < stream.length; ) {
    const length = 1 + below(widest);
    for (const frame of split(new Uint8Array(stream.subarray(offset, offset + length))).frames) {
      received.push(Buffer.from(frame));
    }
    offset += length;
  }
  deepStrictEqual(received.slice(0, sent.length), sent);
}

function noiseIsFramedOrReported(rolls: Dice): void {
  const split = frameSplitter();
  let framed = 0;
  let given = 0;
  for (let chunks = 1 + rolls.below(5); chunks > 0; chunks--) {
    const noise = rolls.bytes(rolls.below(300));
    if (rolls.below(2) === 0) noise.fill(0, 0, 3);
    given += noise.length;
    const { frames, fault } = split(noise);
    for (const frame of frames) {
      strictEqual(Buffer.from(frame).readUInt32BE(0), frame.length);
      framed += frame.length;
    }
    if (fault !== null) {
      strictEqual(split(rolls.bytes(50)).frames.length, 0, "nothing is framed behind a fault");
      return;
    }
  }
  ok(framed <= given);
}

function sessionOutlives(rolls: Dice): void {
  const kind = rolls.pick(["transceiver", "transmitter", "receiver"] as const);
  const session = createEsmeSession({
    kind,
    bind,
    window: 10,
    responseTimeoutMs: 1000,
    enquireLinkMs: 1000,
    history: NO_HISTORY,
  });
  stepEsme(session, { kind: "connected" }, 0);
  const bound: Pdu = {
    command: `bind_${kind}_resp`,
    sequence: 1,
    status: 0,
    systemId: "",
    scInterfaceVersion: null,
  };
  stepEsme(session, { kind: "received", decoded: { ok: true, pdu: bound } }, 1);
  for (let frames = 1 + rolls.below(4); frames > 0; frames--) {
    const outputs = stepEsme(session, { kind: "received", decoded: decodePdu(damagedFrame(rolls)) }, 2);
    for (const output of outputs) if (output.kind === "write") decodePdu(encodePdu(output.pdu));
    if (outputs.some((output) => output.kind === "close")) return;
  }
  const asked: Pdu = { command: "enquire_link", sequence: 77, status: 0 };
  const answer: Pdu = { command: "enquire_link_resp", sequence: 77, status: 0 };
  const outputs = stepEsme(session, { kind: "received", decoded: { ok: true, pdu: asked } }, 3);
  deepStrictEqual(outputs, [{ kind: "write", pdu: answer, ref: null }]);
}

/** What a damaged PDU leads to can be written, and the client is answered as before. */
function centreOutlives(rolls: Dice): void {
  const session = createSmscSession(() => ({
    bindWithinMs: 1000,
    enquireLinkMs: 1000,
    responseTimeoutMs: 1000,
  }));
  const kind = rolls.pick(["transceiver", "transmitter", "receiver"] as const);
  stepSmsc(session, { kind: "connected" }, 0);
  stepSmsc(session, { kind: "received", decoded: { ok: true, pdu: samplePdu(`bind_${kind}`) } }, 1);
  stepSmsc(session, { kind: "bind_answer", status: 0, systemId: "S", scInterfaceVersion: 0x34 }, 1);
  for (let frames = 1 + rolls.below(4); frames > 0; frames--) {
    const decoded = decodePdu(damagedFrame(rolls));
    const outputs = stepSmsc(session, { kind: "received", decoded }, 2);
    for (const output of outputs) if (output.kind === "write") decodePdu(encodePdu(output.pdu));
    if (outputs.some((output) => output.kind === "close")) return;
  }
  const asked: Pdu = { command: "enquire_link", sequence: 77, status: 0 };
  const answer: Pdu = { command: "enquire_link_resp", sequence: 77, status: 0 };
  const outputs = stepSmsc(session, { kind: "received", decoded: { ok: true, pdu: asked } }, 3);
  deepStrictEqual(outputs, [{ kind: "write", pdu: answer, ref: null }]);
}

function receiptIsRead(rolls: Dice): void {
  const { text, id, stat } = receiptText(rolls);
  const octets = new Uint8Array(Buffer.from(text, "latin1"));
  const receipt = readReceipt(shortMessage({ esmClass: ESM_RECEIPT, shortMessage: octets }));
  deepStrictEqual([receipt?.id, receipt?.rawStat, receipt?.errorCode], [id, stat.toUpperCase(), "1b"]);
}

const STATES = [
  "DELIVERED",
  "EXPIRED",
  "DELETED",
  "UNDELIVERABLE",
  "REJECTED",
  "FAILED",
  "SKIPPED",
  "PENDING",
];

function mutatedReceipt(rolls: Dice): void {
  const message = maybeReceipt(rolls);
  const receipt = readReceipt(message);
  const isMarked = (message.esmClass & 0x3c) === 0x04 || (message.esmClass & 0x3c) === 0x20;
  if (receipt === null) {
    ok(!isMarked, "a marked receipt is always one");
    return;
  }
  ok(STATES.includes(receipt.state), receipt.state);
  const { id, rawStat, errorCode } = receipt;
  ok(id === null || id.length <= 255, "an id is short enough to keep");
  ok(rawStat === null || rawStat.length <= 16, "a state's word is short enough to keep");
  ok(errorCode === null || errorCode.length <= 8, "an error code is short enough to keep");
  if (id !== null) for (const candidate of candidateIds(id)) strictEqual(canonicalId(candidate), candidate);
}

function candidatesAreCanonical(rolls: Dice): void {
  const id =
    rolls.below(2) === 0
      ? rolls.ascii(30)
      : rolls
          .below(1e9)
          .toString(rolls.pick([10, 16]))
          .padStart(rolls.below(25), "0");
  const candidates = candidateIds(id);
  ok(candidates.length >= 1 && candidates.length <= 3);
  for (const candidate of candidates) strictEqual(canonicalId(candidate), candidate);
}
