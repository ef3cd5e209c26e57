import type { Exchange } from "../exchanges.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { text } from "../json.ts";
import type { Submission, SubmittedBody } from "../submissions.ts";

const PROMISE =
  "Same key and same body: the first answer again, byte for byte. Another body: 409 IDEMPOTENCY_KEY_REUSED. Never a second batch.";
const found = finder("idempotency", PROMISE);

/** Answers that are given before anybody looks whether the key is known. */
const BEFORE_THE_KEY = [400, 401, 403, 429, 503];

/** A key that was answered with 202 has that answer, and no other, for as long as it is remembered. */
export const idempotency: Rule = (history) => {
  if (mayBeForgotten(history)) return [];
  return history.submissions.flatMap((submission) => {
    const first = firstAccepted(submission);
    const refused = submission.bodies.flatMap((body) => [
      ...reusedWithoutUse(submission, body),
      ...inProgressWithoutRequest(history, submission, body),
    ]);
    return first ? [...afterwards(submission, first.body, first.exchange), ...refused] : refused;
  });
};

/** Seven days are more than a run, unless its clock was set ahead by days. */
function mayBeForgotten({ observations }: History): boolean {
  const ahead = observations.reduce(
    (sum, seen) => (seen.kind === "clock" ? sum + Math.max(0, seen.byMs) : sum),
    0,
  );
  return ahead > 5 * 24 * 3_600_000;
}

function firstAccepted({ bodies }: Submission): { body: SubmittedBody; exchange: Exchange } | null {
  const accepted = bodies.flatMap((body) =>
    body.tries
      .filter(({ answer }) => answer?.status === 202)
      .map((exchange) => ({ body, exchange, atMs: exchange.answer?.atMs ?? 0 })),
  );
  return accepted.sort((a, b) => a.atMs - b.atMs)[0] ?? null;
}

function afterwards(submission: Submission, body: SubmittedBody, first: Exchange): readonly Finding[] {
  const words = first.answer?.body;
  const answeredAtMs = first.answer?.atMs ?? 0;
  return submission.bodies.flatMap((each) =>
    each.tries.flatMap((exchange) => {
      const { answer, id, askedAtMs } = exchange;
      if (answer === null || exchange === first) return [];
      const isLater = askedAtMs >= answeredAtMs;
      const code = text(answer.json, "code");
      const about = [`request ${first.id}`, `request ${id}`];
      const story = `key ${submission.idempotencyKey}: request ${first.id} got its 202 at ${at(answeredAtMs)}, and request ${id}`;
      if (answer.status === 202 && each !== body)
        return [found(answer.atMs, `${story}, with another body, got a 202 too`, ...about)];
      if (answer.status === 202 && answer.body !== words)
        return [found(answer.atMs, `${story} got other words: ${answer.body.slice(0, 200)}`, ...about)];
      if (answer.status === 202 && isLater && answer.headers["idempotency-replayed"] !== "true")
        return [found(answer.atMs, `${story} got it again without Idempotency-Replayed`, ...about)];
      if (answer.status === 202 || !isLater || BEFORE_THE_KEY.includes(answer.status)) return [];
      const isRight = each !== body && code === "IDEMPOTENCY_KEY_REUSED";
      return isRight ? [] : [found(answer.atMs, `${story} got ${answer.status} ${code}`, ...about)];
    }),
  );
}

/** IDEMPOTENCY_KEY_REUSED though no other body can have been accepted under the key. */
function reusedWithoutUse(submission: Submission, body: SubmittedBody): readonly Finding[] {
  return body.tries.flatMap(({ answer, id }) => {
    if (answer === null || text(answer.json, "code") !== "IDEMPOTENCY_KEY_REUSED") return [];
    const isUsed = submission.bodies.some(
      (other) =>
        other !== body &&
        other.tries.some((each) => {
          const mayBeTaken = each.answer === null || each.answer.status === 202 || isOpen(each, answer.atMs);
          return each.askedAtMs <= answer.atMs && mayBeTaken;
        }),
    );
    const what = `key ${submission.idempotencyKey}: request ${id} was told that another body used it, and none can have`;
    return isUsed ? [] : [found(answer.atMs, what, `request ${id}`)];
  });
}

function isOpen({ endedAtMs }: Exchange, atMs: number): boolean {
  return endedAtMs === null || endedAtMs >= atMs;
}

/** REQUEST_IN_PROGRESS though no other request under the key can be running: a claim of a process that died is void. */
function inProgressWithoutRequest(
  history: History,
  submission: Submission,
  body: SubmittedBody,
): readonly Finding[] {
  const tries = submission.bodies.flatMap((each) => each.tries);
  return body.tries.flatMap((exchange) => {
    const { answer, id, askedAtMs } = exchange;
    if (answer === null || text(answer.json, "code") !== "REQUEST_IN_PROGRESS") return [];
    const isBusy = tries.some((each) => {
      if (each === exchange || each.askedAtMs > answer.atMs) return false;
      const hasDied = history.lives.some(
        ({ endedAtMs }) => endedAtMs !== null && endedAtMs > each.askedAtMs && endedAtMs <= askedAtMs,
      );
      const wasAnswered = each.answer !== null && each.answer.atMs < askedAtMs;
      return !hasDied && !wasAnswered;
    });
    const what = `key ${submission.idempotencyKey}: request ${id} was told that another runs, and none does`;
    return isBusy ? [] : [found(answer.atMs, what, `request ${id}`)];
  });
}
