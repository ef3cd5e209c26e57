/**
 * Handlers of `POST /batches` and `POST /batches/quote` once the body is to be read: idempotency key, memory, submission,
 * answer or refusal.
 */
import { unreachable } from "../../core/assert.ts";
import { notReadyRefusal } from "../../core/health.ts";
import { countLimited } from "../../core/metrics-registry.ts";
import { CURRENCY } from "../../core/money.ts";
import { parseWhole } from "../../core/parse-number.ts";
import { accepted, type Outcome, type Refusal, refuse, toRefusal } from "../../core/refusals.ts";
import { isSandbox } from "../../core/sandbox.ts";
import type { Principal, Scope } from "../../domain/accounts/api-keys.ts";
import { MAX_HOPS, noteHops } from "../../domain/messages/batch-hops.ts";
import { rejectionObject, rejectionsText } from "../../domain/messages/batches.ts";
import type { AcceptedBatch } from "../../domain/submission/commit-batch.ts";
import { findReply, type StoredReply } from "../../domain/submission/idempotency.ts";
import type { ReadSubmission } from "../../domain/submission/packed-submission.ts";
import type { Quote, QuoteAnswer } from "../../domain/submission/quote.ts";
import type { SubmissionAnswer } from "../../domain/submission/submit.ts";
import { EXACT_ENGLISH } from "../../i18n/phrase.ts";
import { withTexts } from "../../i18n/text.ts";
import { declaredBytes, findBodyHeadFault, readBody } from "../http/body.ts";
import type { BodyBudget, BodyClaim } from "../http/body-budget.ts";
import type { FailureCode } from "../http/error-codes.ts";
import { dataAnswer, jsonAnswer, problem } from "../http/problem.ts";
import type { RequestContext } from "../http/request-context.ts";
import { requireCaller } from "../http/router.ts";
import type { ApiDeps } from "./deps.ts";
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
  // A stored reply is given again, whatever limit was reached after it.
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
    const hops = readHopsHeader(request.headers);
    if (hops > MAX_HOPS) return problem(exchange, toRefusal("TOO_MANY_HOPS"));
    const answer = await deps.services.submitBatch({
      accountId,
      key: { apiKeyId, text: key.value, bodyDigest: read.digest },
      request: read.request,
      replyTo: (batch, tx) => {
        noteHops(tx, batch.ulid, hops);
        return toSubmissionReply(batch, isSandbox(accountId));
      },
    });
    return toSubmissionResponse(exchange, answer);
  } finally {
    claims.release();
  }
}

/** Claims of a submission on the budget of large bodies: what was read stays in memory until it is answered. */
function bodyClaims({ budget }: SubmissionHandler, accountId: number) {
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

/** Reads a submission; returns the refusal where it can't be read. */
async function readSubmissionBody(
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

  // A slow body may have arrived after intake was closed.
  const late = notNow(deps);
  return late ? answer(late) : read.value;
}

/** Why no submission is even looked up now, or null. Where only new ones are refused, domain/submission does that. */
function notNow({ readiness }: ApiDeps): Refusal<FailureCode> | null {
  const closed = readiness.closed();
  return closed?.code === "SERVICE_UNAVAILABLE" ? notReadyRefusal(closed) : null;
}

/** Headers of a refusal before the whole body was read: beyond the limit, the connection is closed with the answer. */
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

/** How many appliances a submission has passed, by its header; 0 of one that has none. */
function readHopsHeader(headers: Headers): number {
  return parseWhole(headers.get("bendre-hops") ?? "") ?? 0;
}

// The HTTP answer to a quote: what a submission would come to (docs/behaviour.md#quote).

/** `POST /batches/quote` from its body on. An idempotency key is not looked at. */
export async function answerQuote(
  deps: ApiDeps,
  desk: SubmissionHandler,
  exchange: RequestContext<Principal>,
  request: Request,
): Promise<Response> {
  const { accountId } = requireCaller(exchange);
  const claims = bodyClaims(desk, accountId);
  try {
    const read = await readSubmissionBody(deps, desk.reader, exchange, request, claims.take);
    if (read instanceof Response) return read;
    return quoteResponse(exchange, await deps.services.quoteBatch({ accountId, request: read.request }));
  } finally {
    claims.release();
  }
}

function quoteResponse(exchange: RequestContext<Principal>, answer: QuoteAnswer): Response {
  const { scopes, accountId } = requireCaller(exchange);
  switch (answer.kind) {
    case "quoted":
      return dataAnswer(
        withTexts({ ...quoteObject(answer.quote, scopes), is_sandbox: isSandbox(accountId) }, EXACT_ENGLISH),
      );
    case "busy":
      return problem(exchange, toRefusal("RATE_LIMITED.quotes"), { "retry-after": "1" });
    case "refused":
      return problem(exchange, hideBalance(scopes, answer.refusal));
    default:
      return unreachable(answer, "answer to a quote");
  }
}

/** A quote as a key with these scopes may see it: the balance is for those that may read it. */
export function quoteObject(
  { clientReference, status, sums, warnings, refusal, spendable, startsAt }: Quote,
  scopes: Principal["scopes"],
) {
  const { accepted, rejected, rejections_by_reason, rejections, total_segments, amount, ...rest } = sums;
  const seesBalance = scopes.has("ACCOUNT_READ");
  const told = refusal && hideBalance(scopes, refusal);
  return {
    status,
    accepted,
    rejected,
    rejections_by_reason,
    rejections: rejections.map((rejection) => rejectionObject(rejection, clientReference)),
    total_segments,
    amount,
    currency: CURRENCY,
    is_payable: refusal === null,
    refusal: told && { code: told.code, detail: told.detail },
    spendable_before: seesBalance ? spendable : null,
    spendable_after: seesBalance ? spendable - amount : null,
    starts_at: startsAt,
    ...rest,
    warnings,
  };
}

// The HTTP answer to a submission.

/** The 202 of a batch: its submission form (docs/public-api.md section 2.2). `isSandbox`: it was sent with a test key. */
export function toSubmissionReply(
  { ulid, clientReference, status, sums, rejections, warnings }: AcceptedBatch,
  isSandbox = false,
): StoredReply {
  const { accepted, rejected, amount: reserved_amount, segments: total_segments } = sums;
  const head = JSON.stringify({ batch_id: ulid, status, accepted, rejected }).slice(0, -1);
  const before = `{"data":${head},"rejections":[`;
  const list = rejectionsText(rejections.map((one) => rejectionObject(one, clientReference)));
  const told = withTexts(warnings, EXACT_ENGLISH);
  const rest = { reserved_amount, currency: CURRENCY, total_segments, is_sandbox: isSandbox, warnings: told };
  const text = `${before}${list}],${JSON.stringify(rest).slice(1)}}`;
  if (rejections.length === 0) return { status: 202, text };
  return { status: 202, text, rejections: { from: before.length, to: before.length + list.length } };
}

function toSubmissionResponse(exchange: RequestContext<Principal>, answer: SubmissionAnswer): Response {
  switch (answer.kind) {
    case "accepted":
      return jsonAnswer(answer.reply.status, answer.reply.text);
    case "repeated":
      return jsonAnswer(answer.reply.status, answer.reply.text, { "idempotency-replayed": "true" });
    case "key reused":
      return problem(exchange, toRefusal("IDEMPOTENCY_KEY_REUSED.body"));
    case "in progress":
      return problem(exchange, toRefusal("REQUEST_IN_PROGRESS.key"));
    case "refused":
      return toRefusalAnswer(exchange, hideBalance(requireCaller(exchange).scopes, answer.refusal));
    default:
      return unreachable(answer, "answer to a submission");
  }
}

/** The answer of a refusal, with `Retry-After` where it is known. */
function toRefusalAnswer(exchange: RequestContext, refusal: Refusal<FailureCode>): Response {
  const { retrySeconds } = refusal;
  return problem(
    exchange,
    refusal,
    retrySeconds === undefined ? {} : { "retry-after": String(retrySeconds) },
  );
}

/** The balance is for keys that may read it: others learn no more than that it was too little. */
function hideBalance(scopes: ReadonlySet<Scope>, refusal: Refusal<FailureCode>): Refusal<FailureCode> {
  const { detail, detailWithBalance = detail } = refusal;
  return scopes.has("ACCOUNT_READ") ? { ...refusal, detail: detailWithBalance } : refusal;
}
