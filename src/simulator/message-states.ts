/** What becomes of an accepted message, in the seven letters of a receipt (SMPP 3.4 appendix B). */
export type Stat = "DELIVRD" | "EXPIRED" | "UNDELIV" | "UNKNOWN" | "REJECTD" | "DELETED";

/** The states that a receipt can tell: a final one, or ENROUTE in an intermediate notification. */
export type ReceiptStat = Stat | "ENROUTE";

/** message_state of each (SMPP 3.4 section 5.2.28). */
export const MESSAGE_STATE: Readonly<Record<ReceiptStat, number>> = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  UNKNOWN: 7,
  REJECTD: 8,
};

/** The `err` that goes with each: unknown subscriber for UNDELIV, absent subscriber for EXPIRED (3GPP TS 29.002). */
export const ERROR_CODE: Readonly<Record<ReceiptStat, number>> = {
  ENROUTE: 0,
  DELIVRD: 0,
  EXPIRED: 27,
  DELETED: 0,
  UNDELIV: 1,
  UNKNOWN: 0,
  REJECTD: 13,
};
