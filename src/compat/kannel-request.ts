/** Reads a request as it is written for Kannel's smsbox, and refuses in its words (docs/behaviour.md#kannels-door). */
import type { CompatUser } from "../accounts/compat-users.ts";
import { isoUtc } from "../base/clock.ts";
import { type Arguments, textOf } from "./arguments.ts";
import { readCallbackUrl } from "./callback-url.ts";
import { decoded } from "./charset.ts";
import type { Callback } from "./follows.ts";
import type { Wanted } from "./submission.ts";

export type KannelRequest = { readonly wanted: Wanted; readonly callback: Callback | null };

/** A request, or the words of its refusal, which is a 400. */
export type KannelRead = KannelRequest | string;

const SENDER_MISSING = "Sender missing and no global set, rejected";
export const CHARSET = "Charset or body misformed, rejected";

const UNSUPPORTED: readonly (readonly [name: string, words: string])[] = [
  ["mwi", "MWI field misformed, rejected"],
  ["pid", "PID field misformed, rejected"],
  ["compress", "Compress field misformed, rejected"],
];

/** In the order in which smsbox looks. */
export function readKannelRequest(
  args: Arguments,
  user: CompatUser,
  { nowMs, mayBePlain }: { readonly nowMs: number; readonly mayBePlain: boolean },
): KannelRead {
  const to = textOf(args, "to");
  if (to === undefined) return "Missing receiver number, rejected";
  const receivers = [...new Set(to.split(/[\s]+/).filter((one) => one !== ""))];
  if (receivers.length === 0) return "Empty receiver number not allowed, rejected";
  const sender = textOf(args, "from") || user.sender;
  if (!sender) return SENDER_MISSING;
  const dlrUrl = textOf(args, "dlr-url", "dlrurl") ?? "";
  if (dlrUrl !== "" && !readCallbackUrl(dlrUrl, mayBePlain)) return "DLR-URL field misformed, rejected";
  const mask = numberIn(args, "dlr-mask", "dlrmask") ?? 0;
  if (mask < -1 || mask > 63) return "DLR-Mask field misformed, rejected";
  // Class 1 says what every text is that says nothing: kept on the phone.
  const mclass = numberIn(args, "mclass", "flash") ?? -1;
  if (mclass !== -1 && mclass !== 1) return "MClass field misformed, rejected";
  if ((args.get("udh")?.length ?? 0) > 0) return "UDH field misformed, rejected";
  for (const [name, words] of UNSUPPORTED) if ((numberIn(args, name) ?? 0) > 0) return words;
  const coding = numberIn(args, "coding") ?? 0;
  if (coding !== -1 && coding !== 0 && coding !== 2) return "Coding field misformed, rejected";
  const deferred = numberIn(args, "deferred") ?? -1;
  if (deferred < -1) return "Deferred field misformed, rejected";
  if ((numberIn(args, "validity") ?? 0) < -1) return "Validity field misformed, rejected";
  const charset = textOf(args, "charset") || (coding === 2 ? "UTF-16BE" : "UTF-8");
  const text = decoded(args.get("text") ?? new Uint8Array(), charset);
  if (text === null || text.includes("\0")) return CHARSET;
  if (text.trim() === "") return "Empty text not allowed, rejected.";
  const scheduledAt = deferred > 0 ? isoUtc(nowMs + deferred * 60_000) : null;
  return {
    wanted: { protocol: "kannel", sender, text, receivers, scheduledAt },
    callback: dlrUrl !== "" && mask > 0 ? { protocol: "kannel", url: dlrUrl, mask, method: "GET" } : null,
  };
}

/** As `sscanf` reads it: digits in front, and nothing where there are none. */
function numberIn(args: Arguments, ...names: readonly string[]): number | undefined {
  const digits = /^\s*([+-]?\d{1,9})/.exec(textOf(args, ...names) ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}
