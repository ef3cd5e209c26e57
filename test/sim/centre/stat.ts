/** What a receipt tells, in the seven letters of SMPP 3.4 appendix B. */
export type Stat =
  | "DELIVRD"
  | "UNDELIV"
  | "EXPIRED"
  | "REJECTD"
  | "UNKNOWN"
  | "DELETED"
  | "ENROUTE"
  | "ACCEPTD";

export const UNDELIVERED_STATS = ["UNDELIV", "EXPIRED", "REJECTD", "UNKNOWN", "DELETED"] as const;
export const INTERMEDIATE_STATS = ["ENROUTE", "ACCEPTD"] as const;

/** message_state of each (SMPP 3.4 section 5.2.28). */
export const MESSAGE_STATE: Readonly<Record<Stat, number>> = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  ACCEPTD: 6,
  UNKNOWN: 7,
  REJECTD: 8,
};

/** Errors that a receipt may give with each; a receipt draws one of them. */
export const ERRORS: Readonly<Record<Stat, readonly [number, ...number[]]>> = {
  ENROUTE: [0],
  ACCEPTD: [0],
  DELIVRD: [0],
  EXPIRED: [27, 0],
  DELETED: [0],
  UNDELIV: [1, 5, 6, 11, 31, 34, 99, 0],
  UNKNOWN: [0, 255],
  REJECTD: [13, 69],
};
