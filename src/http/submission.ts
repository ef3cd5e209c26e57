import type { Outcome, Refusal } from "../base/failures.ts";
import { slicer } from "../base/slices.ts";
import { readBatchRequest } from "../intake/request.ts";
import { bodyHeadFault, readBody } from "./body.ts";
import { jsonDigest, largeJsonDigest } from "./canonical.ts";
import type { HttpDeps } from "./deps.ts";
import { exchangeOf, principalOf } from "./exchange.ts";
import {
  type Claims,
  type IdempotentRequest,
  readIdempotencyKey,
  remember,
  remembered,
} from "./idempotency.ts";
import { type Pause, parseJson, SMALL_BYTES } from "./json-text.ts";
import { jsonAnswer, problem } from "./problem.ts";

/** `POST /batches` from its body on: steps 6 and 7 of decisions.md section 3, in their order. */
export async function submission(deps: HttpDeps, claims: Claims, request: Request): Promise<Response> {
  const exchange = exchangeOf(request);
  const { apiKeyId, accountId } = principalOf(request);
  const refuse = (refusal: Refusal, headers: Record<string, string> = {}) =>
    problem(exchange, refusal, headers);

  const mostBytes = deps.config.api.max_body_bytes;
  const headFault = bodyHeadFault(request.headers, mostBytes);
  if (headFault !== null) {
    return refuse({ code: "VALIDATION_FAILED", detail: headFault }, unreadHeaders(request, mostBytes));
  }
  const body = await readBody(request, mostBytes, deps.clock);
  if (!body.ok) return refuse(body.refusal, { connection: "close" });
  const pause = slicer(deps.clock);
  const json = await parseJson(body.value, pause);
  if (!json.ok) return refuse(json.refusal);

  const key = readIdempotencyKey(request.headers);
  if (!key.ok) return refuse(key.refusal);
  const bodyDigest = await digestOf(json.value, body.value.byteLength, pause);
  const asked: IdempotentRequest = { apiKeyId, key: key.value, bodyDigest };
  const release = claims.claim(asked);
  if (release === null) {
    const detail = "a request with this Idempotency-Key is still in progress";
    return refuse({ code: "REQUEST_IN_PROGRESS", detail }, { "retry-after": "1" });
  }
  try {
    const earlier = remembered(deps.store.read, asked);
    if (earlier.kind === "refused") return refuse(earlier.refusal);
    if (earlier.kind === "replay") {
      return jsonAnswer(earlier.status, earlier.reply, { "idempotency-replayed": "true" });
    }
    const outcome = await submit(deps, accountId, asked, json.value);
    return outcome.ok ? jsonAnswer(202, outcome.value) : refuse(outcome.refusal);
  } finally {
    release();
  }
}

async function submit(
  deps: HttpDeps,
  accountId: number,
  asked: IdempotentRequest,
  json: unknown,
): Promise<Outcome<string>> {
  const batch = readBatchRequest(json);
  if (!batch.ok) return batch;
  return deps.services.submitBatch(accountId, batch.value, (tx, reply) => {
    remember(tx, asked, 202, reply, deps.clock.nowMs());
  });
}

function digestOf(json: unknown, bytes: number, pause: Pause): Uint8Array | Promise<Uint8Array> {
  return bytes <= SMALL_BYTES ? jsonDigest(json) : largeJsonDigest(json, pause);
}

/** A body beyond the limit isn't waited for: the connection is closed with the answer. */
function unreadHeaders(request: Request, mostBytes: number): Record<string, string> {
  const declared = request.headers.get("content-length");
  return declared !== null && Number(declared) <= mostBytes ? {} : { connection: "close" };
}
