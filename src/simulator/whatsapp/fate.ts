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

const PERMISSION: CloudCode = { status: 403, title: "Permissions error", as: "answer" };
const OTHER: CloudCode = { status: 400, title: "Something went wrong", as: "answer" };

const CODES: ReadonlyMap<number, CloudCode> = new Map([
  [0, { status: 401, title: "AuthException", as: "answer" }],
  [1, { status: 400, title: "API Unknown", as: "answer" }],
  [2, { status: 503, title: "API Service", as: "answer" }],
  [3, { status: 500, title: "API Method", as: "answer" }],
  [4, { status: 400, title: "API Too Many Calls", as: "answer" }],
  [10, { status: 403, title: "Permission Denied", as: "answer" }],
  [33, { status: 400, title: "Parameter value is not valid", as: "answer" }],
  [100, { status: 400, title: "Invalid parameter", as: "answer" }],
  [102, { status: 401, title: "API Session", as: "answer" }],
  [190, { status: 401, title: "Access token has expired", as: "answer" }],
  [368, { status: 403, title: "Temporarily blocked for policies violations", as: "answer" }],
  [803, { status: 404, title: "Some of the aliases you requested do not exist", as: "answer" }],
  [80007, { status: 400, title: "Rate limit issues", as: "answer" }],
  [130429, { status: 429, title: "Rate limit hit", as: "answer" }],
  [130472, { status: 400, title: "User's number is part of an experiment", as: "status" }],
  [130497, { status: 403, title: "Restricted in this country", as: "answer" }],
  [131000, { status: 500, title: "Something went wrong", as: "answer" }],
  [131005, { status: 403, title: "Access denied", as: "answer" }],
  [131008, { status: 400, title: "Required parameter is missing", as: "answer" }],
  [131009, { status: 400, title: "Parameter value is not valid", as: "answer" }],
  [131016, { status: 500, title: "Service unavailable", as: "answer" }],
  [131026, { status: 400, title: "Message undeliverable", as: "status" }],
  [131031, { status: 403, title: "Account has been locked", as: "answer" }],
  [131037, { status: 400, title: "Display name is not approved", as: "answer" }],
  [131042, { status: 400, title: "Business eligibility payment issue", as: "status" }],
  [131045, { status: 500, title: "Phone number registration error", as: "answer" }],
  [131047, { status: 400, title: "Re-engagement message", as: "status" }],
  [131048, { status: 400, title: "Spam rate limit hit", as: "status" }],
  [131049, { status: 400, title: "Not delivered to keep the ecosystem healthy", as: "status" }],
  [131050, { status: 400, title: "User has stopped marketing messages", as: "status" }],
  [131056, { status: 400, title: "Pair rate limit hit", as: "answer" }],
  [131057, { status: 500, title: "Account in maintenance mode", as: "answer" }],
  [132000, { status: 400, title: "Number of parameters does not match", as: "answer" }],
  [132001, { status: 404, title: "Template name does not exist in the translation", as: "answer" }],
  [132005, { status: 400, title: "Translated text too long", as: "answer" }],
  [132007, { status: 400, title: "Template format character policy violated", as: "answer" }],
  [132012, { status: 400, title: "Parameter format does not match", as: "answer" }],
  [132015, { status: 400, title: "Template is paused", as: "answer" }],
  [132016, { status: 400, title: "Template is disabled", as: "answer" }],
  [132018, { status: 400, title: "Template parameter is not valid", as: "answer" }],
  [133006, { status: 400, title: "Phone number re-verification needed", as: "answer" }],
  [133010, { status: 400, title: "Phone number not registered", as: "answer" }],
  [139200, { status: 400, title: "Direct send is blocked", as: "answer" }],
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
