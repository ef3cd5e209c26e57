/** Somebody of a file and its corrections: what became of them, why they have nothing, and what helps. */
import { isRegistered } from "../../accounts/senders.ts";
import { batchById } from "../../messages/batches.ts";
import { mayPass } from "../../messages/failed-messages.ts";
import { errorObject } from "../../messages/message-error.ts";
import type { TryState } from "../../messages/tries.ts";
import { msisdnReader } from "../../operations/msisdn.ts";
import type { PeopleOfFamily } from "../../reports/family-people.ts";
import { UNREADABLE } from "../../reports/left-out.ts";
import { HELP_WORDS, type Help, whatHelps } from "../what-helps.ts";
import type { Asked } from "./asked.ts";
import { refusalWord, unreadableWord } from "./why-not-sent.ts";

/** `NOT_SENT`: no text ever went to them. */
type PersonState = TryState | "NOT_SENT";

/** Somebody of a family, with what is known of them. */
export type FamilyPerson = {
  readonly state: PersonState;
  /** Why they have nothing; "" of others. */
  readonly code: string;
  /** The same where the row itself says more. */
  readonly cause: string | null;
  /** Why the last batch that names them sent nothing. */
  readonly refusedSince: string | null;
  readonly operator: string;
  readonly batch: number;
  readonly position: number | null;
  /** Where they were sent a text first; null where they never were. */
  readonly first: PeopleOfFamily["sent"][number]["first"] | null;
  readonly messageId: number | null;
  readonly msisdn: string | null;
  readonly row: PeopleOfFamily["refused"][number]["row"];
  readonly reference: string | null;
};

const NOTHING: readonly PersonState[] = ["FAILED", "CANCELLED", "NOT_SENT"];
export function hasNothing({ state }: Pick<FamilyPerson, "state">): boolean {
  return NOTHING.includes(state);
}

/** Everybody, those to whom a text went first. */
export function* everybody({ sent, refused, unread }: PeopleOfFamily): Generator<FamilyPerson> {
  const none = {
    cause: null,
    refusedSince: null,
    first: null,
    operator: "",
    messageId: null,
    reference: null,
  };
  for (const { state, error, ...one } of sent) {
    const code = state === "CANCELLED" ? "CANCELLED" : error;
    yield { ...none, ...one, state, code, row: null };
  }
  for (const { reason: code, ...one } of refused) yield { ...none, ...one, state: "NOT_SENT", code };
  for (const { reason, written, row, ...one } of unread) {
    const cause = reason === null && row !== null ? row.cause : null;
    yield { ...none, ...one, row, state: "NOT_SENT", code: reason ?? UNREADABLE, cause, msisdn: written };
  }
}

/** Why somebody has nothing, in the reader's words; "" of others. */
export function whyOfPerson(
  asked: Asked,
  { state, code, cause, msisdn, refusedSince }: FamilyPerson,
): string {
  if (state === "FAILED" || state === "CANCELLED") {
    const failed = failedWord(asked, code);
    return refusedSince === null ? failed : `${failed} ${refusalWord(asked, refusedSince, msisdn)}`;
  }
  if (state !== "NOT_SENT") return "";
  return cause === null ? refusalWord(asked, code, msisdn) : unreadableWord(asked, cause);
}

/** Why a text failed, in the reader's words. */
export function failedWord({ inTheirWords }: Asked, code: string): string {
  return inTheirWords(errorObject(code === "" ? null : code, null)?.detail ?? code);
}

/** Says what helps somebody who has nothing, by the sender of the last batch as operators know it now. */
export function helper(asked: Asked, { batches }: PeopleOfFamily): (person: FamilyPerson) => string {
  const { read } = asked.context.store;
  const last = batches.at(-1);
  const batch = last ? batchById(read, last.id) : null;
  const known = new Map<string, boolean>();
  const isKnownAt = (operator: string): boolean => {
    const isKnown =
      known.get(operator) ?? (batch !== null && isRegistered(read, batch.account_id, batch.sender, operator));
    known.set(operator, isKnown);
    return isKnown;
  };
  const readNumber = msisdnReader(asked.context.config);
  const helpOf = ({ code, refusedSince, cause, msisdn, operator }: FamilyPerson): Help => {
    if (refusedSince !== null) return whatHelps(refusedSince);
    if (mayPass(code, operator, isKnownAt)) return "AGAIN";
    // Its number is fine: something else of the row is not.
    if (cause !== null && msisdn !== null && readNumber(msisdn) !== null) return "ROW";
    return whatHelps(code);
  };
  return (person) => (hasNothing(person) ? HELP_WORDS[asked.language][helpOf(person)] : "");
}
