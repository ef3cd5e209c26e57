/** What a deliver_sm says of a message that was submitted, read by the rules of docs/behaviour.md#receipts. */
import { latin1, type Text, TLV } from "./pdu.ts";
import { charactersOf } from "./short-text.ts";

export type ReceiptSays = {
  /** The id it names; null where it names none. */
  readonly id: string | null;
  readonly verdict: "delivered" | "undelivered" | "pending";
  /** The state as it was written. */
  readonly state: string;
  /** The code that stands beside it; null where there is none. */
  readonly code: string | null;
  /** Marked as a receipt by esm_class or an optional parameter; else a subscriber may have typed it. */
  readonly isMarked: boolean;
  /** The handset's number and the other address. */
  readonly addresses: readonly [string, string];
};

const MESSAGE_STATES = new Map<number, string>([
  [0, "SCHEDULED"],
  [1, "ENROUTE"],
  [2, "DELIVRD"],
  [3, "EXPIRED"],
  [4, "DELETED"],
  [5, "UNDELIV"],
  [6, "ACCEPTD"],
  [7, "UNKNOWN"],
  [8, "REJECTD"],
  [9, "SKIPPED"],
]);

const DELIVERED = new Set(["DELIVRD", "DELIVERED"]);
const UNDELIVERED = new Set([
  "EXPIRED",
  "DELETED",
  "UNDELIV",
  "UNDELIVERABLE",
  "REJECTD",
  "REJECTED",
  "FAILED",
  "SKIPPED",
]);

/** Reads a receipt; null for a text that a subscriber sent and that looks like none. */
export function readReceipt(text: Text): ReceiptSays | null {
  const words = charactersOf(text.octets, text.dataCoding, "latin1").split(/text:/i)[0] ?? "";
  const named = text.tlvs.get(TLV.receiptedMessageId);
  const said = text.tlvs.get(TLV.messageState)?.[0];
  const isMarked =
    (text.esmClass & 0x3c) === 0x04 ||
    (text.esmClass & 0x3c) === 0x20 ||
    named !== undefined ||
    said !== undefined;
  const id = (named === undefined ? null : withoutEnd(latin1(named))) ?? field(words, "id");
  const looksSo = /^\s*id:/i.test(words) && field(words, "stat") !== null;
  if (!isMarked && !looksSo) return null;
  const state = (said === undefined ? field(words, "stat") : (MESSAGE_STATES.get(said) ?? `${said}`)) ?? "";
  const code = errorParameter(text) ?? field(words, "err");
  const addresses = [text.source, text.destination] as const;
  return { id, verdict: verdictOf(state.toUpperCase()), state, code, isMarked, addresses };
}

function verdictOf(state: string): ReceiptSays["verdict"] {
  if (DELIVERED.has(state)) return "delivered";
  return UNDELIVERED.has(state) ? "undelivered" : "pending";
}

function field(words: string, label: string): string | null {
  return new RegExp(`(?:^|\\s)${label}:\\s*(\\S+)`, "i").exec(words)?.[1] ?? null;
}

function withoutEnd(id: string): string | null {
  const bare = id.replace(/\0+$/, "").trim();
  return bare === "" ? null : bare;
}

function errorParameter({ tlvs }: Text): string | null {
  const value = tlvs.get(TLV.networkErrorCode);
  return value?.length === 3 ? `${(value[1] ?? 0) * 256 + (value[2] ?? 0)}` : null;
}

/**
 * Every way an operator may write one id: as it is, without its padding, and the same number in the other base. Two ids may mean
 * the same submit when they share a form (docs/behaviour.md#ids-of-operators).
 */
export function formsOf(id: string): readonly string[] {
  const bare = id
    .trim()
    .toLowerCase()
    .replace(/^0+(?=.)/, "");
  const forms = new Set([id.trim(), bare]);
  if (/^[0-9]+$/.test(bare)) forms.add(BigInt(bare).toString(16));
  if (/^[0-9a-f]+$/.test(bare)) forms.add(BigInt(`0x${bare}`).toString(10));
  return [...forms];
}

/** Whether two ids may be the same submit's. */
export function mayBeSameId(one: string, another: string): boolean {
  const forms = new Set(formsOf(one));
  return formsOf(another).some((form) => forms.has(form));
}
