/** Reads a request as it is written for Kannel's smsbox, and refuses in its words (docs/behaviour.md#kannels-door). */

import { isoUtc } from "../../core/clock.ts";
import type { CompatUser } from "../../domain/accounts/compat-users.ts";
import { type Arguments, textOf } from "./arguments.ts";
import { mayBeTold } from "./callback-url.ts";
import { decoded } from "./charset.ts";
import type { Callback } from "./follows.ts";
import type { Wanted } from "./submission.ts";

export type KannelRequest = { readonly wanted: Wanted; readonly callback: Callback | null };

/** A request, or the words of its refusal, which is a 400. */
export type KannelRead = KannelRequest | string;

export const SENDER_MISSING = "Sender missing and no global set, rejected";
export const CHARSET = "Charset or body misformed, rejected";
const DLR_URL = "DLR-URL field misformed, rejected";

/** What stands for a number that is not given. */
const UNDEFINED = -1;
const ANY = Number.POSITIVE_INFINITY;

/** Masks above 63 mean nothing; smsbox takes them up to here. */
const HIGHEST_MASK = 66;

/** A number among the arguments: what smsbox takes, and what of it is taken here. */
type Field = {
  readonly name: string;
  readonly words: string;
  readonly highest: number;
  /** What would make another message of a text is refused; without it, all that smsbox takes. */
  readonly isTaken?: (value: number) => boolean;
};

/** In the order in which smsbox looks. */
const FIELDS: readonly Field[] = [
  // Class 1 says what every text is that says nothing: kept on the phone. playSMS writes it with each.
  { name: "mclass", words: "MClass", highest: 3, isTaken: (value) => value === 1 },
  { name: "pid", words: "PID", highest: 255, isTaken: (value) => value === 0 },
  { name: "rpi", words: "RPI", highest: 2 },
  { name: "alt-dcs", words: "Alt-DCS", highest: 1 },
  { name: "mwi", words: "MWI", highest: 7, isTaken: () => false },
  { name: "coding", words: "Coding", highest: 2, isTaken: (value) => value !== 1 },
  { name: "compress", words: "Compress", highest: 1, isTaken: (value) => value === 0 },
  { name: "validity", words: "Validity", highest: ANY },
  { name: "deferred", words: "Deferred", highest: ANY },
  { name: "priority", words: "Priority", highest: 3 },
];

/** `missing`: what is said where no receiver is named. In the order in which smsbox looks. */
export function readKannelRequest(
  args: Arguments,
  user: CompatUser,
  given: { readonly nowMs: number; readonly mayBePlain: boolean; readonly missing: string },
): KannelRead {
  const to = textOf(args, "to");
  if (to === undefined) return given.missing;
  const receivers = [...new Set(to.split(/[\s]+/).filter((one) => one !== ""))];
  if (receivers.length === 0) return "Empty receiver number not allowed, rejected";
  if ((args.get("udh")?.length ?? 0) > 0) return "UDH field misformed, rejected";
  const sender = textOf(args, "from") || user.sender;
  if (!sender) return SENDER_MISSING;
  if (!isAccount(textOf(args, "account") ?? "")) return "Account field misformed or too long, rejected";
  // As browsers do, and as smsbox sends it.
  const url = (textOf(args, "dlr-url", "dlrurl") ?? "").replaceAll(" ", "%20");
  if (url !== "" && !mayBeTold(url, given.mayBePlain)) return DLR_URL;
  const mask = numberIn(args, "dlr-mask", "dlrmask");
  if (mask < UNDEFINED || mask > HIGHEST_MASK) return "DLR-Mask field misformed, rejected";
  const misformed = FIELDS.find((field) => !isTaken(field, numberIn(args, field.name)));
  if (misformed) return `${misformed.words} field misformed, rejected`;
  const charset = textOf(args, "charset") || (numberIn(args, "coding") === 2 ? "UTF-16BE" : "UTF-8");
  const text = decoded(args.get("text") ?? new Uint8Array(), charset);
  if (text === null || text.includes("\0")) return CHARSET;
  if (text.trim() === "") return "Empty text not allowed, rejected.";
  const deferred = numberIn(args, "deferred");
  const isLater = deferred > 0;
  return {
    wanted: {
      protocol: "kannel",
      sender,
      text,
      receivers,
      scheduledAt: isLater ? isoUtc(given.nowMs + deferred * 60_000) : null,
      askedTime: isLater ? String(deferred) : null,
    },
    callback: url !== "" && mask > 0 ? { protocol: "kannel", url, mask, method: "GET" } : null,
  };
}

function isTaken({ highest, isTaken }: Field, value: number): boolean {
  if (value === UNDEFINED) return true;
  return value > UNDEFINED && value <= highest && (isTaken?.(value) ?? true);
}

/** What smsbox takes as the name of an account, which is then passed over. */
function isAccount(text: string): boolean {
  return text.length <= 64 && !/[[\]\n\r]/.test(text);
}

/** As `sscanf` reads it: digits in front, and nothing where there are none. */
function numberIn(args: Arguments, ...names: readonly string[]): number {
  const digits = /^\s*([+-]?\d{1,9})/.exec(textOf(args, ...names) ?? "")?.[1];
  return digits === undefined ? UNDEFINED : Number(digits);
}
