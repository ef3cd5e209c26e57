import type { Reader } from "../store/read.ts";
import { lastParked, type ParkedMark } from "./parked-receipts.ts";
import { allSeen, type Seen } from "./receipt-habit.ts";

/** What a process remembers of receipts, so that no receipt and no submit has to look it up. All of it is in the database. */
export type ReceiptMemory = {
  readonly parked: ParkedMark;
  /** By SMSC account; changed once that is durable. */
  readonly seen: Map<string, Seen>;
};

export function receiptMemory(read: Reader): ReceiptMemory {
  return { parked: { last: lastParked(read) }, seen: allSeen(read) };
}
