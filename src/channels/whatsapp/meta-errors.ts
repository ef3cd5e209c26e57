/** Classifies error codes of Meta's Cloud API: try again, stop the number, fail the message, or outcome unknown. */
import type { MessageClass } from "../../domain/accounts/message-class.ts";
import type { MessageErrorCode } from "../../domain/messages/message-status.ts";

/** What is slowed when Meta says "too fast". */
type ThrottledScope = "number" | "account" | "app" | "user";

/** What one of Meta's codes leads to (docs/behaviour.md#codes-of-whatsapp). */
export type MetaErrorClass =
  /** The message waits for another turn. `restMs`: how long nothing leaves by what is slowed. */
  | { readonly kind: "again"; readonly slows: ThrottledScope; readonly restMs: number }
  /** The number stops until a person has looked; the message waits. */
  | { readonly kind: "stop" }
  /** The message has failed. */
  | { readonly kind: "final"; readonly error: MessageErrorCode }
  /** Outcome unknown: Meta may have the message. */
  | { readonly kind: "unknown" };

/** What a code came as: the answer to a post, with its HTTP status, or a `failed` status. */
type MetaErrorSource = { readonly as: "answer"; readonly httpStatus: number } | { readonly as: "status" };

const MINUTE_MS = 60_000;
/** Meta takes a message to the same user about once in this time. */
export const PAIR_MS = 6000;

const AGAIN: ReadonlyMap<number, MetaErrorClass> = new Map<number, MetaErrorClass>([
  [130429, { kind: "again", slows: "number", restMs: 0 }],
  [131057, { kind: "again", slows: "number", restMs: MINUTE_MS }],
  [80007, { kind: "again", slows: "account", restMs: 0 }],
  [4, { kind: "again", slows: "app", restMs: 0 }],
  [131056, { kind: "again", slows: "user", restMs: PAIR_MS }],
]);

/** Token, permission, policy, registration, name, bill: codes about the number or the caller, and about no message. */
const STOPS: ReadonlySet<number> = new Set([
  ...[190, 0, 3, 10, 102, 131005],
  ...[33, 803, 133006, 133010, 131037, 131045],
  ...[131042, 131048, 368, 131031],
]);

/**
 * Subcodes that decide because their code says less: for a number that is gone, or that the token may not see, Meta answers 100 with
 * this subcode.
 */
const STOPPING_SUBCODES: ReadonlySet<number> = new Set([33]);

const FINAL: ReadonlyMap<number, MessageErrorCode> = new Map<number, MessageErrorCode>([
  [131026, "UNKNOWN_SUBSCRIBER"],
  [131047, "WINDOW_CLOSED"],
  [131049, "CHANNEL_LIMIT"],
  [130472, "CHANNEL_LIMIT"],
  [131050, "RECIPIENT_OPTED_OUT"],
  [100, "PARAMETER_REFUSED"],
  [131008, "PARAMETER_REFUSED"],
  [131009, "PARAMETER_REFUSED"],
  [132000, "PARAMETER_REFUSED"],
  [132005, "PARAMETER_REFUSED"],
  [132012, "PARAMETER_REFUSED"],
  [132018, "PARAMETER_REFUSED"],
  [132001, "TEMPLATE_UNAVAILABLE"],
  [132007, "TEMPLATE_UNAVAILABLE"],
  [132015, "TEMPLATE_UNAVAILABLE"],
  [132016, "TEMPLATE_UNAVAILABLE"],
  [130497, "OPERATOR_REJECTED"],
]);

/** For these Meta itself does not say what became of the post. */
const UNSURE: ReadonlySet<number> = new Set([1, 2, 131000, 131016]);

const REJECTED: MetaErrorClass = { kind: "final", error: "OPERATOR_REJECTED" };
const OUTCOME_UNKNOWN: MetaErrorClass = { kind: "unknown" };
const TOO_FAST: MetaErrorClass = { kind: "again", slows: "number", restMs: 0 };

/** A code of Meta's, and the one beside it (`error_subcode`). */
type MetaErrorCodes = { readonly code: number | null; readonly subcode: number | null };

/** The code by which an error is judged: the subcode where that is about the number. Pure. */
export function pickDecisiveCode({ code, subcode }: MetaErrorCodes): number | null {
  return subcode !== null && STOPPING_SUBCODES.has(subcode) ? subcode : code;
}

/** Decides by the code, and by the HTTP status only where the code is unknown or absent. Pure. */
export function classifyMetaError(code: number | null, said: MetaErrorSource): MetaErrorClass {
  if (code !== null) {
    const again = AGAIN.get(code);
    if (again) return again;
    if (STOPS.has(code) || (code >= 200 && code <= 299)) return { kind: "stop" };
    const error = FINAL.get(code);
    if (error) return { kind: "final", error };
  }
  if (said.as === "status") return REJECTED;
  if (code !== null && UNSURE.has(code)) return OUTCOME_UNKNOWN;
  return ofStatus(said.httpStatus);
}

/** 2xx that cannot be read, 408 and 5xx: the post may have been taken. */
function ofStatus(status: number): MetaErrorClass {
  if (status === 429) return TOO_FAST;
  if (status === 401) return { kind: "stop" };
  return status < 300 || status === 408 || status >= 500 ? OUTCOME_UNKNOWN : REJECTED;
}

/** What one answer or status says beyond its message. */
export type NumberTrouble =
  | { readonly kind: "slow"; readonly slows: ThrottledScope; readonly restMs: number }
  | { readonly kind: "stop"; readonly code: number }
  /** Nothing is sent with a template. `isNews`: that was not known. */
  | { readonly kind: "template"; readonly wabaId: string; readonly name: string; readonly isNews: boolean }
  /** Text of a class without a template has stopped, by its number: Meta priced it as another category. */
  | { readonly kind: "direct"; readonly messageClass: MessageClass; readonly priced: string }
  /** The number may not write to users of a country, known by its calling code. */
  | { readonly kind: "country"; readonly country: string };

/** What an error class means for the number, its account or the app; null: nothing. Pure. */
export function toNumberTrouble(what: MetaErrorClass, code: number): NumberTrouble | null {
  switch (what.kind) {
    case "again":
      return { kind: "slow", slows: what.slows, restMs: what.restMs };
    case "stop":
      return { kind: "stop", code };
    case "final":
    case "unknown":
      return null;
  }
}
