/**
 * Whose a receipt is that names an id nobody gave: the response that would have brought it was lost. It may settle
 * the submit that nobody answered, but money follows, so it must be the only one it can be about (decisions.md section 6,
 * Unanswered submits).
 */
import {
  awaitingAnswer,
  type Doubt,
  doubtsAbout,
  numberKey,
  type Whereabouts,
  whereaboutsOf,
} from "../messages/departures.ts";
import type { Reader } from "../store/read.ts";
import { split } from "../text/segments.ts";
import { numbersAgree } from "./receipt-match.ts";

/** A receipt without an owner. */
export type Ownerless = {
  readonly operator: string;
  /** The handset's, as the operator writes it. */
  readonly msisdn: string;
  readonly receivedAtMs: number;
  /** Said to be a receipt by more than its text, which a subscriber could have typed. */
  readonly isMarked: boolean;
  readonly submitDate: string | null;
  readonly text: string | null;
};

/** The submit it must be about, with its message's number; null when there is none, or more than one. */
export function ownerOf(read: Reader, receipt: Ownerless): (Doubt & { readonly msisdn: string }) | null {
  const key = numberKey(receipt.msisdn);
  if (key === null || !receipt.isMarked) return null;
  const doubts = doubtsAbout(read, receipt.operator, key);
  if (doubts.length === 0) return null;
  const messages = new Map<number, Whereabouts>();
  for (const { messageId } of doubts) {
    const found = messages.get(messageId) ?? whereaboutsOf(read, messageId);
    if (found && numbersAgree(found.msisdn, receipt.msisdn)) messages.set(messageId, found);
  }
  const numbers = new Set([...messages.values()].map(({ msisdn }) => msisdn));
  const awaiting = [...numbers].flatMap((msisdn) => awaitingAnswer(read, receipt.operator, msisdn));
  const isRival = awaiting.some(
    ({ messageId, claimedAt }) => !messages.has(messageId) && claimedAt <= receipt.receivedAtMs,
  );
  if (isRival) return null;
  const fitting = doubts.filter((doubt) => {
    const message = messages.get(doubt.messageId);
    return message !== undefined && fits(doubt, message, receipt);
  });
  const [first] = fitting;
  const message = first && messages.get(first.messageId);
  if (!message || fitting.some(({ messageId }) => messageId !== first.messageId)) return null;
  const chosen = oneOf(fitting, message);
  return chosen && { ...chosen, msisdn: message.msisdn };
}

/** Segments in doubt that have no id yet may change places, so the first of them will do; of others, only a single one. */
function oneOf(fitting: readonly Doubt[], message: Whereabouts): Doubt | null {
  const nameless = fitting.find(({ firstPart }) => !message.named.has(firstPart));
  if (nameless) return nameless;
  return fitting.length === 1 || message.segments === 1 ? (fitting[0] ?? null) : null;
}

function fits(doubt: Doubt, message: Whereabouts, receipt: Ownerless): boolean {
  if (doubt.writtenAt > receipt.receivedAtMs) return false;
  if (receipt.submitDate !== null && !dateAgrees(receipt.submitDate, doubt.writtenAt)) return false;
  if (receipt.text === null) return true;
  return textAgrees(receipt.text, split(message.text).parts[doubt.firstPart - 1] ?? "");
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How far the two clocks may be apart, besides the whole hours between their zones. */
const CLOCKS_APART_MS = 3 * MINUTE_MS;
const FARTHEST_ZONE_MS = 14 * HOUR_MS;

/** Whether `submit date:` may be when our submit left. It is in the operator's own time, of which the zone is unknown. */
export function dateAgrees(submitDate: string, writtenAtMs: number): boolean {
  const digits = submitDate.length === 14 ? submitDate.slice(2) : submitDate;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (digits.match(/\d\d/g) ?? []).map(
    Number,
  );
  const saidMs = Date.UTC(2000 + year, month - 1, day, hour, minute, second);
  const apartMs = saidMs - writtenAtMs;
  const zoneMs = Math.round(apartMs / HOUR_MS) * HOUR_MS;
  return Math.abs(zoneMs) <= FARTHEST_ZONE_MS && Math.abs(apartMs - zoneMs) <= CLOCKS_APART_MS;
}

/** Fewer letters and digits than this tell nothing. */
const FEWEST_LETTERS = 4;

/**
 * Whether what stands behind `Text:` may be our segment's beginning. Only plain letters and digits are held together,
 * since what operators make of the others differs; a text of hardly any agrees with everything.
 */
export function textAgrees(told: string, ours: string): boolean {
  const plain = (text: string) => text.replace(/[^0-9A-Za-z]/g, "");
  const said = plain(told);
  if (said.length < FEWEST_LETTERS) return true;
  const text = plain(ours);
  return text.startsWith(said) || (text.length >= FEWEST_LETTERS && said.startsWith(text));
}
