import type { Principal } from "../accounts/keys.ts";
import type { Scope } from "../accounts/scopes.ts";
import type { Outcome, Refusal } from "../base/failures.ts";
import { bodyHeadFault, declaredBytes, readBody } from "../http/body.ts";
import type { BodyBudget, BodyClaim } from "../http/body-budget.ts";
import type { Exchange } from "../http/exchange.ts";
import { jsonAnswer, problem } from "../http/problem.ts";
import { callerOf } from "../http/routes.ts";
import type { Submission } from "../intake/request.ts";
import type { ApiDeps } from "./deps.ts";
import {
  type Claims,
  type IdempotentRequest,
  readIdempotencyKey,
  remember,
  remembered,
} from "./idempotency.ts";
import type { SubmissionReader } from "./submission-reader.ts";

/** What all submissions share. */
export type SubmissionDesk = {
  readonly claims: Claims;
  readonly budget: BodyBudget;
  readonly reader: SubmissionReader;
};

/** `POST /batches` from its body on: steps 6 and 7 of docs/behaviour.md#order-of-checks, in their order. */
export async function submission(
  deps: ApiDeps,
  desk: SubmissionDesk,
  exchange: Exchange<Principal>,
  request: Request,
): Promise<Response> {
  const { accountId } = callerOf(exchange);
  const claims: BodyClaim[] = [];
  const claim = (longest: number): BodyClaim => {
    const own = desk.budget.claim(accountId, longest);
    claims.push(own);
    return own;
  };
  try {
    return await answer(deps, desk, exchange, request, claim);
  } finally {
    // What was read of a large body is in memory until it is answered.
    for (const own of claims) own.release();
  }
}

async function answer(
  deps: ApiDeps,
  { claims, reader }: SubmissionDesk,
  exchange: Exchange<Principal>,
  request: Request,
  claim: (longest: number) => BodyClaim,
): Promise<Response> {
  const { apiKeyId, accountId, scopes } = callerOf(exchange);
  const refuse = (refusal: Refusal, headers: Record<string, string> = {}) =>
    problem(exchange, refusal, headers);

  const early = notNow(deps);
  if (early) return refuse(early, { connection: "close" });
  const mostBytes = deps.config.api.max_body_bytes;
  const headFault = bodyHeadFault(request.headers, mostBytes);
  if (headFault !== null) {
    return refuse({ code: "VALIDATION_FAILED", detail: headFault }, unreadHeaders(request, mostBytes));
  }
  const body = await readBody(request, mostBytes, deps.clock, claim);
  if (!body.ok) return refuse(body.refusal, { connection: "close" });
  const read = await reader.read(body.value);
  if (!read.ok) return refuse(read.refusal);

  // What took its time to arrive may have come too late.
  const late = notNow(deps);
  if (late) return refuse(late);
  const key = readIdempotencyKey(request.headers);
  if (!key.ok) return refuse(key.refusal);
  const asked: IdempotentRequest = { apiKeyId, key: key.value, bodyDigest: read.value.digest };
  const release = claims.claim(asked);
  if (release === null) {
    const detail = "a request with this Idempotency-Key is still in progress";
    return refuse({ code: "REQUEST_IN_PROGRESS", detail });
  }
  try {
    const earlier = remembered(deps.store.read, asked);
    if (earlier.kind === "refused") return refuse(earlier.refusal);
    if (earlier.kind === "replay") {
      return jsonAnswer(earlier.status, earlier.reply, { "idempotency-replayed": "true" });
    }
    const outcome = await submit(deps, accountId, asked, read.value.request);
    return outcome.ok ? jsonAnswer(202, outcome.value) : refuse(toldTo(scopes, outcome.refusal));
  } finally {
    release();
  }
}

/** The balance is for keys that may read it: others learn no more than that it was too little. */
function toldTo(scopes: ReadonlySet<Scope>, refusal: Refusal): Refusal {
  const { detail, detailWithBalance = detail } = refusal;
  return scopes.has("ACCOUNT_READ") ? { ...refusal, detail: detailWithBalance } : refusal;
}

/** Why nothing is taken in at this moment, or null. */
function notNow({ readiness }: ApiDeps): Refusal | null {
  const [reason] = readiness.reasons();
  if (reason === undefined) return null;
  return { code: "SERVICE_UNAVAILABLE", detail: `nothing is accepted at this moment: ${reason}` };
}

async function submit(
  deps: ApiDeps,
  accountId: number,
  asked: IdempotentRequest,
  request: Outcome<Submission>,
): Promise<Outcome<string>> {
  if (!request.ok) return request;
  return deps.services.submitBatch(accountId, request.value, (tx, reply) => {
    remember(tx, asked, 202, reply, deps.clock.nowMs());
  });
}

/** A body beyond the limit isn't waited for: the connection is closed with the answer. */
function unreadHeaders(request: Request, mostBytes: number): Record<string, string> {
  const declared = declaredBytes(request.headers);
  return declared !== null && declared <= mostBytes ? {} : { connection: "close" };
}
