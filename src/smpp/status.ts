/**
 * What an answer to submit_sm means for the message, unless the operator's table says otherwise
 * (docs/behaviour.md#answers-of-the-operator): "retry_once" is tried again a single time and is then a refusal.
 */
export type StatusClass = "ok" | "retry" | "retry_once" | "fail";

export type StatusMeaning = {
  /** The name of SMPP 3.4 section 5.1.3 without ESME_, or of SMPP 5.0 for what 3.4 reserves. */
  readonly name: string;
  /** For an administrator, in words. */
  readonly words: string;
  readonly class: StatusClass;
};

/** Every command_status that the standard names, and what it means to an administrator. */
const STATUSES = {
  ROK: [0x00, "accepted"],
  RINVMSGLEN: [0x01, "the message length is invalid"],
  RINVCMDLEN: [0x02, "the command length is invalid"],
  RINVCMDID: [0x03, "the operator does not support this command"],
  RINVBNDSTS: [0x04, "the command does not fit the kind of bind"],
  RALYBND: [0x05, "already bound: the operator allows no further bind for this system_id"],
  RINVPRTFLG: [0x06, "the priority is invalid"],
  RINVREGDLVFLG: [0x07, "the request for a receipt is invalid"],
  RSYSERR: [0x08, "the operator's system has an error"],
  RINVSRCADR: [0x0a, "the sender is not accepted, probably not registered with this operator"],
  RINVDSTADR: [0x0b, "the recipient's number is not accepted"],
  RINVMSGID: [0x0c, "the message id is unknown"],
  RBINDFAIL: [0x0d, "the bind was refused"],
  RINVPASWD: [0x0e, "the password is wrong"],
  RINVSYSID: [0x0f, "the system_id is wrong"],
  RCANCELFAIL: [0x11, "cancelling failed"],
  RREPLACEFAIL: [0x13, "replacing failed"],
  RMSGQFUL: [0x14, "the operator's queue is full"],
  RINVSERTYP: [0x15, "the service type is invalid"],
  RINVNUMDESTS: [0x33, "the number of destinations is invalid"],
  RINVDLNAME: [0x34, "the distribution list is invalid"],
  RINVDESTFLAG: [0x40, "the destination flag is invalid"],
  RINVSUBREP: [0x42, "submitting with replacement is invalid"],
  RINVESMCLASS: [0x43, "the esm_class is invalid"],
  RCNTSUBDL: [0x44, "submitting to the distribution list is impossible"],
  RSUBMITFAIL: [0x45, "the operator refused the message without saying why"],
  RINVSRCTON: [0x48, "the sender's type of number is invalid"],
  RINVSRCNPI: [0x49, "the sender's numbering plan is invalid"],
  RINVDSTTON: [0x50, "the recipient's type of number is invalid"],
  RINVDSTNPI: [0x51, "the recipient's numbering plan is invalid"],
  RINVSYSTYP: [0x53, "the system_type is wrong"],
  RINVREPFLAG: [0x54, "the replace_if_present flag is invalid"],
  RINVNUMMSGS: [0x55, "the number of messages is invalid"],
  RTHROTTLED: [0x58, "more messages a second than the operator allows"],
  RINVSCHED: [0x61, "the scheduled delivery time is invalid"],
  RINVEXPIRY: [0x62, "the validity period is invalid"],
  RINVDFTMSGID: [0x63, "the predefined message is invalid or unknown"],
  RX_T_APPN: [0x64, "the receiving application has a temporary error"],
  RX_P_APPN: [0x65, "the receiving application has a permanent error"],
  RX_R_APPN: [0x66, "the receiving application rejected the message"],
  RQUERYFAIL: [0x67, "the query failed"],
  RINVOPTPARSTREAM: [0xc0, "the optional parameters are broken"],
  ROPTPARNOTALLWD: [0xc1, "an optional parameter is not allowed"],
  RINVPARLEN: [0xc2, "a parameter's length is invalid"],
  RMISSINGOPTPARAM: [0xc3, "an expected optional parameter is missing"],
  RINVOPTPARAMVAL: [0xc4, "an optional parameter's value is invalid"],
  RDELIVERYFAILURE: [0xfe, "delivery failed"],
  RUNKNOWNERR: [0xff, "unknown error"],
  RSERTYPUNAUTH: [0x100, "not authorised to use this service type"],
  RPROHIBITED: [0x101, "prohibited from using this operation"],
  RSERTYPUNAVAIL: [0x102, "the service type is unavailable for the moment"],
  RSERTYPDENIED: [0x103, "the service type is denied"],
  RINVDCS: [0x104, "the data coding is invalid"],
} as const satisfies Record<string, readonly [status: number, words: string]>;

type StatusName = keyof typeof STATUSES;

/** command_status by name (SMPP 3.4 section 5.1.3, without ESME_). */
export const STATUS = Object.fromEntries(
  Object.entries(STATUSES).map(([name, [status]]) => [name, status]),
) as { readonly [Name in StatusName]: (typeof STATUSES)[Name][0] };

const BY_STATUS: ReadonlyMap<number, readonly [name: string, words: string]> = new Map(
  Object.entries(STATUSES).map(([name, [status, words]]) => [status, [name, words]]),
);

const RETRY: ReadonlySet<number> = new Set([
  STATUS.RSYSERR,
  STATUS.RMSGQFUL,
  STATUS.RTHROTTLED,
  STATUS.RX_T_APPN,
  STATUS.RSERTYPUNAVAIL,
]);

/** The name, the words and the default class of any command_status, known or a vendor's own. */
export function statusMeaning(status: number): StatusMeaning {
  const known = BY_STATUS.get(status);
  return {
    name: known?.[0] ?? statusCode(status),
    words: known?.[1] ?? "a code of this operator's own",
    class: statusClass(status),
  };
}

/** `0x45`, `0x400`: as operators' manuals and the configuration write it. */
export function statusCode(status: number): string {
  return `0x${status.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** `0x58 RTHROTTLED`; the code alone where it has no name. */
export function statusLabel(status: number): string {
  const { name } = statusMeaning(status);
  const code = statusCode(status);
  return name === code ? code : `${code} ${name}`;
}

/** `0x58 RTHROTTLED: more messages a second than the operator allows`. */
export function statusText(status: number): string {
  return `${statusLabel(status)}: ${statusMeaning(status).words}`;
}

function statusClass(status: number): StatusClass {
  if (status === 0) return "ok";
  if (status === STATUS.RUNKNOWNERR) return "retry_once";
  return RETRY.has(status) ? "retry" : "fail";
}

const CREDENTIALS: ReadonlySet<number> = new Set([STATUS.RINVPASWD, STATUS.RINVSYSID, STATUS.RINVSYSTYP]);

/**
 * Whether a refused bind will stay refused until somebody changes the configuration. RBINDFAIL is not among them,
 * though SMPP 5.0 gives it to wrong credentials: in the field it also stands for too many binds and for a centre that
 * is just starting.
 */
export function refusesCredentials(status: number): boolean {
  return CREDENTIALS.has(status);
}
