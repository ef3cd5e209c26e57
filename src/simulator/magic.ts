import { STATUS } from "../smpp/status.ts";
import type { Stat } from "./states.ts";

/** What a destination's last five digits ask for. "First" is the first submit_sm to that number since the start. */
export type Magic = {
  /** For `--help`. */
  readonly words: string;
  /** In place of DELIVRD. */
  readonly stat?: Stat;
  /** Refused with this, always or the first time only. */
  readonly refusal?: { readonly status: number; readonly first?: true };
  /** How often the receipt is sent, in place of once. */
  readonly receipts?: 0 | 2;
  /** Accepted without an answer, or with the link cut, the first time only. */
  readonly first?: "unanswered" | "dropped";
};

/** The endings that choose an outcome; every other number is answered by the quirks alone. */
export const MAGIC: ReadonlyMap<string, Magic> = new Map<string, Magic>([
  ["99001", { words: "receipt UNDELIV, err 001", stat: "UNDELIV" }],
  ["99002", { words: "receipt EXPIRED, err 027", stat: "EXPIRED" }],
  ["99003", { words: "receipt REJECTD, err 013", stat: "REJECTD" }],
  ["99004", { words: "delivered, but no receipt", receipts: 0 }],
  ["99005", { words: "refused: 0x0B invalid destination", refusal: { status: STATUS.RINVDSTADR } }],
  ["99006", { words: "0x58 throttled once", refusal: { status: STATUS.RTHROTTLED, first: true } }],
  ["99007", { words: "0x14 queue full once", refusal: { status: STATUS.RMSGQFUL, first: true } }],
  ["99008", { words: "first submit accepted and never answered; its receipt comes", first: "unanswered" }],
  ["99009", { words: "receipt twice", receipts: 2 }],
  ["99010", { words: "receipt UNKNOWN", stat: "UNKNOWN" }],
  ["99011", { words: "0x08 system error, always", refusal: { status: STATUS.RSYSERR } }],
  ["99012", { words: "link cut at the first submit, which is accepted", first: "dropped" }],
]);

/** What the number asks for, if it asks for anything. */
export function magicOf(destination: string): Magic | undefined {
  return MAGIC.get(destination.slice(-5));
}
