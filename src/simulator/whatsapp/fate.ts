/**
 * Decides what the stand-in for Meta's Cloud API does with a post, reproducibly from a seed, and holds its table of error
 * codes.
 */
import { seededChance } from "../../core/chance.ts";
import type { Failure, WhatsappSimSettings } from "./settings.ts";

type StatusName = "sent" | "delivered" | "read" | "failed";

/** A status as it will be sent to the webhook. */
export type ScheduledStatus = {
  readonly status: StatusName;
  /** Delays from the answer until it happens, and until it is sent. */
  readonly afterMs: number;
  readonly toldAfterMs: number;
  /** With "failed": why. */
  readonly code: number | null;
  /** How many times it is sent: 0, 1 or 2. */
  readonly times: number;
};

/** The outcome of one post. */
export type PostFate = {
  /** The code that the post is answered with; null: it is accepted. */
  readonly answer: number | null;
  readonly isAnswered: boolean;
  /** Whether the message is sent, whatever was answered. */
  readonly isTaken: boolean;
  readonly isBillable: boolean;
  /** The status in place of "accepted" when the message is held back. */
  readonly messageStatus?: string;
  readonly statuses: readonly ScheduledStatus[];
};

type Shares = Pick<
  WhatsappSimSettings,
  "seed" | "lose" | "loseAnswers" | "double" | "disorderMs" | "failures" | "delayMs" | "read" | "free"
>;

/** Draws the outcome of the `nth` post to a user: from the seed, the user and `nth` alone, whatever else happens. */
export function decidePostFate(settings: Shares, to: string, nth: number): PostFate {
  const chance = seededChance(hashOf(`${settings.seed}:${to}:${nth}`));
  const draw = chance.fraction;
  const answer = struck(settings.failures, "answer", draw());
  const isUnsureTaken = answer !== null && isUnsure(answer) && draw() < 0.5;
  const isTaken = answer === null || isUnsureTaken;
  const isAnswered = draw() >= settings.loseAnswers;
  const isBillable = draw() >= settings.free;
  const failed = struck(settings.failures, "status", draw());
  const steps = failed === null ? happening(settings, draw) : [{ status: "failed" as const, pace: 1 }];
  let afterMs = 0;
  const statuses = steps.map(({ status, pace }): ScheduledStatus => {
    afterMs += Math.round(settings.delayMs * pace * (0.5 + draw()));
    return {
      status,
      afterMs,
      toldAfterMs: afterMs + Math.round(settings.disorderMs * draw()),
      code: status === "failed" ? failed : null,
      times: draw() < settings.lose ? 0 : draw() < settings.double ? 2 : 1,
    };
  });
  return { answer, isAnswered, isTaken, isBillable, statuses: isTaken ? statuses : [] };
}

type Step = { readonly status: StatusName; readonly pace: number };

/** `read` may come without `delivered`. */
function happening({ read }: Shares, draw: () => number): readonly Step[] {
  const sent: Step = { status: "sent", pace: 0.2 };
  const delivered: Step = { status: "delivered", pace: 0.8 };
  const isRead = draw() < read;
  const isReadAlone = draw() < 1 / 3;
  if (!isRead) return [sent, delivered];
  return isReadAlone ? [sent, { status: "read", pace: 1.5 }] : [sent, delivered, { status: "read", pace: 1 }];
}

/** The first failure whose share of 0 to 1 the drawn fraction falls into. */
function struck(failures: readonly Failure[], as: Failure["as"], drawn: number): number | null {
  let upTo = 0;
  for (const failure of failures) {
    if (failure.as !== as) continue;
    upTo += failure.share;
    if (drawn < upTo) return failure.code;
  }
  return null;
}

/** FNV-1a, mixed once more so that neighbours lie far apart. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return Math.imul(hash ^ (hash >>> 16), 0x45d9f3b) >>> 0;
}

// Meta's codes as the stand-in gives them: HTTP status, words, and whether they come as an answer or a status by default.

type CloudCode = {
  readonly status: number;
  readonly title: string;
  /** Whether a post is answered with it, or is accepted and fails later. */
  readonly as: "answer" | "status";
};

/** A code that a post is answered with. */
function refusal(status: number, title: string): CloudCode {
  return { status, title, as: "answer" };
}

/** A code that an accepted post fails with later. */
function failure(title: string): CloudCode {
  return { status: 400, title, as: "status" };
}

const PERMISSION = refusal(403, "Permissions error");
const OTHER = refusal(400, "Something went wrong");

const CODES: ReadonlyMap<number, CloudCode> = new Map([
  [0, refusal(401, "AuthException")],
  [1, refusal(400, "API Unknown")],
  [2, refusal(503, "API Service")],
  [3, refusal(500, "API Method")],
  [4, refusal(400, "API Too Many Calls")],
  [10, refusal(403, "Permission Denied")],
  [33, refusal(400, "Parameter value is not valid")],
  [100, refusal(400, "Invalid parameter")],
  [102, refusal(401, "API Session")],
  [190, refusal(401, "Access token has expired")],
  [368, refusal(403, "Temporarily blocked for policies violations")],
  [803, refusal(404, "Some of the aliases you requested do not exist")],
  [80007, refusal(400, "Rate limit issues")],
  [130429, refusal(429, "Rate limit hit")],
  [130472, failure("User's number is part of an experiment")],
  [130497, refusal(403, "Restricted in this country")],
  [131000, refusal(500, "Something went wrong")],
  [131005, refusal(403, "Access denied")],
  [131008, refusal(400, "Required parameter is missing")],
  [131009, refusal(400, "Parameter value is not valid")],
  [131016, refusal(500, "Service unavailable")],
  [131026, failure("Message undeliverable")],
  [131031, refusal(403, "Account has been locked")],
  [131037, refusal(400, "Display name is not approved")],
  [131042, failure("Business eligibility payment issue")],
  [131045, refusal(500, "Phone number registration error")],
  [131047, failure("Re-engagement message")],
  [131048, failure("Spam rate limit hit")],
  [131049, failure("Not delivered to keep the ecosystem healthy")],
  [131050, failure("User has stopped marketing messages")],
  [131056, refusal(400, "Pair rate limit hit")],
  [131057, refusal(500, "Account in maintenance mode")],
  [132000, refusal(400, "Number of parameters does not match")],
  [132001, refusal(404, "Template name does not exist in the translation")],
  [132005, refusal(400, "Translated text too long")],
  [132007, refusal(400, "Template format character policy violated")],
  [132012, refusal(400, "Parameter format does not match")],
  [132015, refusal(400, "Template is paused")],
  [132016, refusal(400, "Template is disabled")],
  [132018, refusal(400, "Template parameter is not valid")],
  [133006, refusal(400, "Phone number re-verification needed")],
  [133010, refusal(400, "Phone number not registered")],
  [139200, refusal(400, "Direct send is blocked")],
]);

/** Codes after which the outcome of the post is unknown; here every other one was accepted. */
const UNSURE: readonly number[] = [1, 2, 131000, 131016];

export function cloudCode(code: number): CloudCode {
  const known = CODES.get(code);
  if (known !== undefined) return known;
  return code >= 200 && code <= 299 ? PERMISSION : OTHER;
}

/** Whether a code is a bare HTTP status: 500 to 599 are none of Meta's; the answer is that status, with a page in place of JSON. */
export function isBareStatus(code: number): boolean {
  return code >= 500 && code <= 599;
}

function isUnsure(code: number): boolean {
  return UNSURE.includes(code) || isBareStatus(code);
}

/** The answer for a number that does not exist, or that the token may not see: an error of the Graph API, not of WhatsApp. */
export function goneBody(id: string): string {
  const message = `Unsupported post request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`;
  const error = {
    message,
    type: "GraphMethodException",
    code: 100,
    error_subcode: 33,
    fbtrace_id: "simulated",
  };
  return JSON.stringify({ error });
}

/** The body of a refusal. */
export function errorBody(code: number, details: string): string {
  const { title } = cloudCode(code);
  const error = {
    message: `(#${code}) ${title}`,
    type: "OAuthException",
    code,
    error_data: { messaging_product: "whatsapp", details },
    fbtrace_id: "simulated",
  };
  return JSON.stringify({ error });
}
