import type { Clock } from "../../core/clock.ts";
import { findBodyHeadFault, declaredBytes, readBody } from "../http/body.ts";
import type { RequestContext } from "../http/exchange.ts";
import { parseJson } from "../http/json-text.ts";
import { problem } from "../http/problem.ts";

/** The largest body of a request that is no submission: a URL, a label, a list of words. */
const MAX_BODY_BYTES = 65_536;

/** The JSON of a small request, `undefined` where it has no body, or the answer that refuses it. */
export type SmallBody =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly answer: Response };

/** Reads the body of a request that has one. */
export async function readSmallBody(exchange: RequestContext, request: Request, clock: Clock): Promise<SmallBody> {
  const headFault = findBodyHeadFault(request.headers, MAX_BODY_BYTES);
  if (headFault !== null) return no(exchange, headFault, { connection: "close" });
  const body = await readBody(request, MAX_BODY_BYTES, clock);
  if (!body.ok) return no(exchange, body.refusal, { connection: "close" });
  const json = parseJson(body.value);
  return json.ok ? { ok: true, json: json.value } : no(exchange, json.refusal);
}

/** The same of a request that may come without a body. */
export async function readBodyIfAny(exchange: RequestContext, request: Request, clock: Clock): Promise<SmallBody> {
  const isChunked = request.headers.has("transfer-encoding");
  return isChunked || (declaredBytes(request.headers) ?? 0) > 0
    ? readSmallBody(exchange, request, clock)
    : { ok: true, json: undefined };
}

function no(exchange: RequestContext, ...why: Tail<Parameters<typeof problem>>): SmallBody {
  return { ok: false, answer: problem(exchange, ...why) };
}

type Tail<Items extends readonly unknown[]> = Items extends readonly [unknown, ...infer Rest] ? Rest : never;
