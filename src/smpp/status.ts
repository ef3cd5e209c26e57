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

const KNOWN: Readonly<Record<number, readonly [name: string, words: string]>> = {
  0: ["ROK", "accepted"],
  1: ["RINVMSGLEN", "the message length is invalid"],
  2: ["RINVCMDLEN", "the command length is invalid"],
  3: ["RINVCMDID", "the operator does not support this command"],
  4: ["RINVBNDSTS", "the command does not fit the kind of bind"],
  5: ["RALYBND", "already bound: the operator allows no further bind for this system_id"],
  6: ["RINVPRTFLG", "the priority is invalid"],
  7: ["RINVREGDLVFLG", "the request for a receipt is invalid"],
  8: ["RSYSERR", "the operator's system has an error"],
  10: ["RINVSRCADR", "the sender is not accepted, probably not registered with this operator"],
  11: ["RINVDSTADR", "the recipient's number is not accepted"],
  12: ["RINVMSGID", "the message id is unknown"],
  13: ["RBINDFAIL", "the bind was refused"],
  14: ["RINVPASWD", "the password is wrong"],
  15: ["RINVSYSID", "the system_id is wrong"],
  17: ["RCANCELFAIL", "cancelling failed"],
  19: ["RREPLACEFAIL", "replacing failed"],
  20: ["RMSGQFUL", "the operator's queue is full"],
  21: ["RINVSERTYP", "the service type is invalid"],
  51: ["RINVNUMDESTS", "the number of destinations is invalid"],
  52: ["RINVDLNAME", "the distribution list is invalid"],
  64: ["RINVDESTFLAG", "the destination flag is invalid"],
  66: ["RINVSUBREP", "submitting with replacement is invalid"],
  67: ["RINVESMCLASS", "the esm_class is invalid"],
  68: ["RCNTSUBDL", "submitting to the distribution list is impossible"],
  69: ["RSUBMITFAIL", "the operator refused the message without saying why"],
  72: ["RINVSRCTON", "the sender's type of number is invalid"],
  73: ["RINVSRCNPI", "the sender's numbering plan is invalid"],
  80: ["RINVDSTTON", "the recipient's type of number is invalid"],
  81: ["RINVDSTNPI", "the recipient's numbering plan is invalid"],
  83: ["RINVSYSTYP", "the system_type is wrong"],
  84: ["RINVREPFLAG", "the replace_if_present flag is invalid"],
  85: ["RINVNUMMSGS", "the number of messages is invalid"],
  88: ["RTHROTTLED", "more messages a second than the operator allows"],
  97: ["RINVSCHED", "the scheduled delivery time is invalid"],
  98: ["RINVEXPIRY", "the validity period is invalid"],
  99: ["RINVDFTMSGID", "the predefined message is invalid or unknown"],
  100: ["RX_T_APPN", "the receiving application has a temporary error"],
  101: ["RX_P_APPN", "the receiving application has a permanent error"],
  102: ["RX_R_APPN", "the receiving application rejected the message"],
  103: ["RQUERYFAIL", "the query failed"],
  192: ["RINVOPTPARSTREAM", "the optional parameters are broken"],
  193: ["ROPTPARNOTALLWD", "an optional parameter is not allowed"],
  194: ["RINVPARLEN", "a parameter's length is invalid"],
  195: ["RMISSINGOPTPARAM", "an expected optional parameter is missing"],
  196: ["RINVOPTPARAMVAL", "an optional parameter's value is invalid"],
  254: ["RDELIVERYFAILURE", "delivery failed"],
  255: ["RUNKNOWNERR", "unknown error"],
  256: ["RSERTYPUNAUTH", "not authorised to use this service type"],
  257: ["RPROHIBITED", "prohibited from using this operation"],
  258: ["RSERTYPUNAVAIL", "the service type is unavailable for the moment"],
  259: ["RSERTYPDENIED", "the service type is denied"],
  260: ["RINVDCS", "the data coding is invalid"],
};

const RETRY: ReadonlySet<number> = new Set([0x08, 0x14, 0x58, 0x64, 0x102]);

export const STATUS = {
  ROK: 0x00,
  RINVCMDLEN: 0x02,
  RINVCMDID: 0x03,
  RINVBNDSTS: 0x04,
  RALYBND: 0x05,
  RSYSERR: 0x08,
  RBINDFAIL: 0x0d,
  RINVPASWD: 0x0e,
  RINVSYSID: 0x0f,
  RMSGQFUL: 0x14,
  RINVSYSTYP: 0x53,
  RTHROTTLED: 0x58,
  RX_T_APPN: 0x64,
  RUNKNOWNERR: 0xff,
} as const;

/** The name, the words and the default class of any command_status, known or a vendor's own. */
export function statusMeaning(status: number): StatusMeaning {
  const known = KNOWN[status];
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

/** `0x58 RTHROTTLED: more messages a second than the operator allows`. */
export function statusText(status: number): string {
  const { name, words } = statusMeaning(status);
  const code = statusCode(status);
  return name === code ? `${code}: ${words}` : `${code} ${name}: ${words}`;
}

function statusClass(status: number): StatusClass {
  if (status === 0) return "ok";
  if (status === 0xff) return "retry_once";
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
