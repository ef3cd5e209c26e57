/**
 * Single texts that an administrator sends by a number to see it work: of no account, without a price. Whoever offers one has written it
 * down before, and writes down what comes of it. They go before what waits, and are never posted again.
 */

import { isStartDoubted } from "../../core/clock.ts";
import type { TaskTracker } from "../../dispatch/owned-work.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { classifyMetaError } from "./consequence.ts";
import type { WhatsAppWorkerDeps } from "./line-deps.ts";
import type { NumberPace } from "./number-pace.ts";
import type { PostAnswer } from "./post-answer.ts";
import { renderPostBody, type PostContent } from "./post-body.ts";
import { toNumberTrouble } from "./trouble.ts";
import type { UserSpacing } from "./user-turns.ts";

export type NumberTestMessage = {
  /** E.164 with "+". */
  readonly msisdn: string;
  readonly what: PostContent;
  /** Comes back with each status. */
  readonly opaque: string;
  /** It leaves now; it does not leave where that cannot be written down. */
  readonly left: () => Promise<void>;
  readonly answered: (answer: PostAnswer) => Promise<void>;
};

/** Why nothing may leave by a number at this moment. */
export type TestSendBlock =
  | { readonly kind: "held" }
  | { readonly kind: "paused"; readonly reason: string }
  | { readonly kind: "down"; readonly lastError: Phrase | null };

export type NumberTestMessages = {
  /** Null where one may leave. */
  readonly hindrance: () => TestSendBlock | null;
  /** Posts it as soon as the pace allows; the function that it returns takes it back: whether it had not left. */
  readonly offer: (post: NumberTestMessage) => () => boolean;
};

type Deps = WhatsAppWorkerDeps & {
  readonly pace: NumberPace;
  readonly users: UserSpacing;
  readonly work: TaskTracker;
  readonly isStopping: () => boolean;
  readonly ask: () => void;
  readonly stop: AbortSignal;
};

/** `begin` posts the first that waits, at a time of the steady clock; false where none does. */
export function createNumberTestMessages(deps: Deps): NumberTestMessages & { readonly begin: (nowMs: number) => boolean } {
  const { code, clock, pace, users, work, day, ask } = deps;
  const waiting: NumberTestMessage[] = [];
  return {
    hindrance: () => hindranceOf(deps),
    offer: (post) => {
      waiting.push(post);
      ask();
      return () => {
        const at = waiting.indexOf(post);
        if (at >= 0) waiting.splice(at, 1);
        return at >= 0;
      };
    },
    begin: (nowMs) => {
      const post = waiting.shift();
      if (post === undefined) return false;
      pace.take(nowMs);
      work.begun();
      users.note(post.msisdn, nowMs);
      day.note(code, post.msisdn, clock.nowMs());
      const ended = (): void => {
        pace.ended();
        work.ended();
        ask();
      };
      work.own(posted(deps, post).finally(ended));
      return true;
    },
  };
}

async function posted(deps: Deps, { msisdn, what, opaque, left, answered }: NumberTestMessage): Promise<void> {
  const { code, clock, client, number, pace, users, stop, onTrouble } = deps;
  await left();
  const sentAtMs = clock.steadyMs();
  const answer = await client.post(number(), renderPostBody(msisdn, what, opaque), stop);
  pace.answered(answer, clock.steadyMs());
  if (answer.kind !== "not_read") users.note(msisdn, clock.steadyMs());
  if (answer.kind === "refused") {
    const { httpStatus } = answer;
    const trouble = toNumberTrouble(
      classifyMetaError(answer.code, { as: "answer", httpStatus }),
      answer.code ?? httpStatus,
    );
    if (trouble !== null) onTrouble(code, trouble, sentAtMs);
  }
  await answered(answer);
}

function hindranceOf({ clock, mayClaim, isStopping, number, hindrance }: Deps): TestSendBlock | null {
  if (isStartDoubted(clock) || !mayClaim() || isStopping()) return { kind: "held" };
  if (!number().enabled) return { kind: "down", lastError: phrase("link.switched_off") };
  const stands = hindrance();
  if (stands === null) return null;
  return stands.kind === "paused"
    ? { kind: "paused", reason: stands.reason }
    : { kind: "down", lastError: stands.why };
}
