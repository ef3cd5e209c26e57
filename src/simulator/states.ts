/** What becomes of an accepted message, in the seven letters of a receipt (SMPP 3.4 appendix B). */
export type Stat = "DELIVRD" | "EXPIRED" | "UNDELIV" | "UNKNOWN" | "REJECTD" | "DELETED";

/** What a receipt can tell: the end, or in an intermediate notification that the message is on its way. */
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

/** The statuses this operator gives of its own accord (SMPP 3.4 section 5.1.3); quirks may name any other. */
export const STATUS = {
  ROK: 0x00,
  RINVMSGLEN: 0x01,
  RINVCMDLEN: 0x02,
  RINVCMDID: 0x03,
  RINVBNDSTS: 0x04,
  RALYBND: 0x05,
  RSYSERR: 0x08,
  RINVSRCADR: 0x0a,
  RINVDSTADR: 0x0b,
  RINVMSGID: 0x0c,
  RBINDFAIL: 0x0d,
  RINVPASWD: 0x0e,
  RINVSYSID: 0x0f,
  RCANCELFAIL: 0x11,
  RREPLACEFAIL: 0x13,
  RMSGQFUL: 0x14,
  RINVNUMDESTS: 0x33,
  RINVDLNAME: 0x34,
  RINVESMCLASS: 0x43,
  RSUBMITFAIL: 0x45,
  RINVSRCTON: 0x48,
  RINVSRCNPI: 0x49,
  RINVDSTTON: 0x50,
  RINVDSTNPI: 0x51,
  RTHROTTLED: 0x58,
  RINVEXPIRY: 0x62,
} as const;

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(STATUS).map(([name, status]) => [status, name]),
);

export type SubmitStatus = (typeof STATUS)[keyof typeof STATUS];

/** A command_status as people write it: `0x58 RTHROTTLED`. */
export function statusWords(status: number): string {
  const number = `0x${status.toString(16).padStart(2, "0")}`;
  const name = NAMES.get(status);
  return name === undefined ? number : `${number} ${name}`;
}
