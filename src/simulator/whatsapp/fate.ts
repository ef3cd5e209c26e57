import { seededChance } from "../../core/chance.ts";
import { isUnsure } from "./codes.ts";
import type { Failure, WhatsappSimSettings } from "./settings.ts";

export type StatusName = "sent" | "delivered" | "read" | "failed";

/** A status as it will be told. */
export type ScheduledStatus = {
  readonly status: StatusName;
  /** From the answer until it happens, and until it is told. */
  readonly afterMs: number;
  readonly toldAfterMs: number;
  /** With "failed": why. */
  readonly code: number | null;
  /** How many times it is told: 0, 1 or 2. */
  readonly times: number;
};

/** What becomes of one post. */
export type PostFate = {
  /** The code that the post is answered with; null: it is accepted. */
  readonly answer: number | null;
  readonly isAnswered: boolean;
  /** Whether the message goes on its way, whatever was answered. */
  readonly isTaken: boolean;
  readonly isBillable: boolean;
  /** In place of "accepted": it is held back. */
  readonly messageStatus?: string;
  readonly statuses: readonly ScheduledStatus[];
};

type Shares = Pick<
  WhatsappSimSettings,
  "seed" | "lose" | "loseAnswers" | "double" | "disorderMs" | "failures" | "delayMs" | "read" | "free"
>;

/** Draws what becomes of the `nth` post to a user: from the seed, the user and `nth` alone, whatever else happens meanwhile. */
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
