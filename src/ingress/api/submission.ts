import { accepted, type Outcome, type Refusal, refuse } from "../../core/failures.ts";
import { countLimited } from "../../core/limited.ts";
import { notReadyRefusal } from "../../core/readiness.ts";
import { isSandbox } from "../../core/sandbox.ts";
import type { Principal } from "../../domain/accounts/keys.ts";
import { findReply } from "../../domain/submission/idempotency.ts";
import type { ReadSubmission } from "../../domain/submission/packed-submission.ts";
import { findBodyHeadFault, declaredBytes, readBody } from "../http/body.ts";
import type { BodyBudget, BodyClaim } from "../http/body-budget.ts";
import type { RequestContext } from "../http/exchange.ts";
import type { FailureCode } from "../http/failures.ts";
import { problem } from "../http/problem.ts";
import { requireCaller } from "../http/routes.ts";
import type { ApiDeps } from "./deps.ts";
import { toRefusalAnswer, toSubmissionReply, toSubmissionResponse } from "./submission-answer.ts";
import type { SubmissionReader } from "./submission-reader.ts";

/** What all submissions share. */
export type SubmissionHandler = { readonly budget: BodyBudget; readonly reader: SubmissionReader };

/** `POST /batches` from its body on: steps 6 and 7 of docs/behaviour.md#order-of-checks, in their order. */
export async function submission(
  deps: ApiDeps,
  desk: SubmissionHandler,
  exchange: RequestContext<Principal>,
  request: Request,
): Promise<Response> {
  const { apiKeyId, accountId } = requireCaller(exchange);
  const key = readIdempotencyKey(request.headers);
  const tooMuch = deps.services.rejectedTooMany(accountId);
  // What was answered once is answered again, whatever came after it.
  if (tooMuch && !(key.ok && findReply(deps.store.read, { apiKeyId, text: key.value }) !== null)) {
    countLimited(deps.store.tally, "rejected recipients");
    const answer = toRefusalAnswer(exchange, tooMuch);
    answer.headers.set("connection", "close");
    return answer;
  }
  const claims = bodyClaims(desk, accountId);
  try {
    const read = await readSubmissionBody(deps, desk.reader, exchange, request, claims.take);
    if (read instanceof Response) return read;
    if (!key.ok) return problem(exchange, key.refusal);
    const answer = await deps.services.submitBatch({
      accountId,
      key: { apiKeyId, text: key.value, bodyDigest: read.digest },
      request: read.request,
      replyTo: (batch) => toSubmissionReply(batch, isSandbox(accountId)),
    });
    return toSubmissionResponse(exchange, answer);
  } finally {
    claims.release();
  }
}

/** What a body holds of the budget of large ones: what was read of it is in memory until it is answered. */
export function bodyClaims({ budget }: SubmissionHandler, accountId: number) {
  const claims: BodyClaim[] = [];
  return {
    take: (longest: number): BodyClaim => {
      const own = budget.claim(accountId, longest);
      claims.push(own);
      return own;
    },
    release: (): void => {
      for (const own of claims) own.release();
    },
  };
}

/** Reads a submission; the answer where it can't be taken. */
export async function readSubmissionBody(
  deps: ApiDeps,
  reader: SubmissionReader,
  exchange: RequestContext<Principal>,
  request: Request,
  claim: (longest: number) => BodyClaim,
): Promise<ReadSubmission | Response> {
  const answer = (refusal: Refusal<FailureCode>, headers: Record<string, string> = {}) =>
    problem(exchange, refusal, headers);

  const early = notNow(deps);
  if (early) return answer(early, { connection: "close" });
  const mostBytes = deps.settings.now().api.max_body_bytes;
  const headFault = findBodyHeadFault(request.headers, mostBytes);
  if (headFault !== null) return answer(headFault, unreadHeaders(request, mostBytes));
  const body = await readBody(request, mostBytes, deps.clock, claim);
  if (!body.ok) return answer(body.refusal, { connection: "close" });
  const read = await reader.read(body.value);
  if (!read.ok) return answer(read.refusal);

  // What took its time to arrive may have come too late.
  const late = notNow(deps);
  return late ? answer(late) : read.value;
}

/** Why no submission is even looked up at this moment, or null. Where only new ones are refused, intake says so. */
function notNow({ readiness }: ApiDeps): Refusal<FailureCode> | null {
  const closed = readiness.closed();
  return closed?.code === "SERVICE_UNAVAILABLE" ? notReadyRefusal(closed) : null;
}

/** A body beyond the limit isn't waited for: the connection is closed with the answer. */
function unreadHeaders(request: Request, mostBytes: number): Record<string, string> {
  const declared = declaredBytes(request.headers);
  return declared !== null && declared <= mostBytes ? {} : { connection: "close" };
}

const MAX_KEY_LENGTH = 255;

/** Reads the Idempotency-Key header: required, 1 to 255 characters (docs/public-api.md section 4.1). */
function readIdempotencyKey(
  headers: Headers,
): Outcome<string, "IDEMPOTENCY_KEY_REQUIRED" | "VALIDATION_FAILED"> {
  const key = headers.get("idempotency-key");
  if (key === null) return refuse("IDEMPOTENCY_KEY_REQUIRED");
  if (key.length >= 1 && key.length <= MAX_KEY_LENGTH) return accepted(key);
  return refuse("VALIDATION_FAILED.key", { most: MAX_KEY_LENGTH });
}
