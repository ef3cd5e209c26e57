import { STATUS } from "../smpp/status.ts";
import type { Stat } from "./states.ts";

/** What a destination's last five digits ask for. "First" is the first submit_sm to that number since the start. */
export type MagicNumber = {
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
export const MAGIC_NUMBERS: ReadonlyMap<string, MagicNumber> = new Map<string, MagicNumber>([
  ["99001", { stat: "UNDELIV" }],
  ["99002", { stat: "EXPIRED" }],
  ["99003", { stat: "REJECTD" }],
  ["99004", { receipts: 0 }],
  ["99005", { refusal: { status: STATUS.RINVDSTADR } }],
  ["99006", { refusal: { status: STATUS.RTHROTTLED, first: true } }],
  ["99007", { refusal: { status: STATUS.RMSGQFUL, first: true } }],
  ["99008", { first: "unanswered" }],
  ["99009", { receipts: 2 }],
  ["99010", { stat: "UNKNOWN" }],
  ["99011", { refusal: { status: STATUS.RSYSERR } }],
  ["99012", { first: "dropped" }],
]);

/** What the number asks for, if it asks for anything. */
export function findMagicNumber(destination: string): MagicNumber | undefined {
  return MAGIC_NUMBERS.get(destination.slice(-5));
}
