/** SMPP command_status codes: names, words, and what each means for a message by default: tried again or refused. */
import { type CaseOf, type Phrase, phrase } from "../i18n/phrase.ts";

/**
 * What an answer to submit_sm means for the message, unless the operator's table says otherwise
 * (docs/behaviour.md#answers-of-the-operator): "retry_once" is tried again, and is a refusal when the
 * same answer comes twice in a row.
 */
type StatusClass = "ok" | "retry" | "retry_once" | "fail";

type StatusMeaning = {
  /** The name of SMPP 3.4 section 5.1.3 without ESME_, or of SMPP 5.0 for what 3.4 reserves. */
  readonly name: string;
  /** For an administrator. */
  readonly words: Phrase;
  readonly class: StatusClass;
};

/** command_status by name (SMPP 3.4 section 5.1.3, without ESME_). */
export const STATUS = {
  ROK: 0x00,
  RINVMSGLEN: 0x01,
  RINVCMDLEN: 0x02,
  RINVCMDID: 0x03,
  RINVBNDSTS: 0x04,
  RALYBND: 0x05,
  RINVPRTFLG: 0x06,
  RINVREGDLVFLG: 0x07,
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
  RINVSERTYP: 0x15,
  RINVNUMDESTS: 0x33,
  RINVDLNAME: 0x34,
  RINVDESTFLAG: 0x40,
  RINVSUBREP: 0x42,
  RINVESMCLASS: 0x43,
  RCNTSUBDL: 0x44,
  RSUBMITFAIL: 0x45,
  RINVSRCTON: 0x48,
  RINVSRCNPI: 0x49,
  RINVDSTTON: 0x50,
  RINVDSTNPI: 0x51,
  RINVSYSTYP: 0x53,
  RINVREPFLAG: 0x54,
  RINVNUMMSGS: 0x55,
  RTHROTTLED: 0x58,
  RINVSCHED: 0x61,
  RINVEXPIRY: 0x62,
  RINVDFTMSGID: 0x63,
  RX_T_APPN: 0x64,
  RX_P_APPN: 0x65,
  RX_R_APPN: 0x66,
  RQUERYFAIL: 0x67,
  RINVOPTPARSTREAM: 0xc0,
  ROPTPARNOTALLWD: 0xc1,
  RINVPARLEN: 0xc2,
  RMISSINGOPTPARAM: 0xc3,
  RINVOPTPARAMVAL: 0xc4,
  RDELIVERYFAILURE: 0xfe,
  RUNKNOWNERR: 0xff,
  RSERTYPUNAUTH: 0x100,
  RPROHIBITED: 0x101,
  RSERTYPUNAVAIL: 0x102,
  RSERTYPDENIED: 0x103,
  RINVDCS: 0x104,
} as const satisfies Record<Exclude<CaseOf<"message.status">, "own">, number>;

type StatusName = keyof typeof STATUS;

const NAMES: ReadonlyMap<number, StatusName> = new Map(
  Object.entries(STATUS).map(([name, status]) => [status, name as StatusName]),
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
  const name = NAMES.get(status);
  return {
    name: name ?? statusCode(status),
    words: phrase(`message.status.${name ?? "own"}`),
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
export function statusPhrase(status: number): Phrase {
  return phrase("message.answer", { code: statusLabel(status), meaning: statusMeaning(status).words });
}

function statusClass(status: number): StatusClass {
  if (status === 0) return "ok";
  if (status === STATUS.RUNKNOWNERR) return "retry_once";
  return RETRY.has(status) ? "retry" : "fail";
}

const CREDENTIALS: ReadonlySet<number> = new Set([STATUS.RINVPASWD, STATUS.RINVSYSID, STATUS.RINVSYSTYP]);

/**
 * Whether a refused bind will stay refused until somebody changes the configuration. RBINDFAIL is not among them, though SMPP 5.0
 * gives it to wrong credentials: in the field it also stands for too many binds and for an SMSC that is just starting.
 */
export function refusesCredentials(status: number): boolean {
  return CREDENTIALS.has(status);
}
