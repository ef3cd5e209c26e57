/** Requests to the public API as a client makes them: its key, JSON, and patience where it is asked to wait. */
import type { Ask, HttpAnswer, RequestFate } from "../actors.ts";
import { readBody, type Table, tableOf } from "./json.ts";
import type { Memory } from "./memory.ts";
import { type Patience, pause } from "./patience.ts";

export type Call = {
  readonly method: "GET" | "POST";
  /** Below the base address, with the query string. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly fate?: RequestFate;
  /** Another key than the client's own; null: none. */
  readonly apiKey?: string | null;
};

/** Below this stands the public API. */
const BASE = "/public/v1";

/** One request, whatever comes of it; null when no answer came. */
export function call(memory: Memory, ask: Ask, { method, path, ...rest }: Call): Promise<HttpAnswer | null> {
  const apiKey = rest.apiKey === undefined ? memory.apiKey : rest.apiKey;
  return ask({
    client: apiKey !== null && memory.keys.includes(apiKey) ? memory.account.name : "nobody",
    method,
    path: `${BASE}${path}`,
    headers: {
      ...(apiKey !== null && { "x-api-key": apiKey }),
      ...(rest.body !== undefined && { "content-type": "application/json" }),
      ...rest.headers,
    },
    body: rest.body ?? null,
    ...(rest.fate !== undefined && { fate: rest.fate }),
  });
}

/** How long an answer asks to wait before the request is made again, or null where that is not to be. */
export function waitOf({ status, headers, body }: HttpAnswer): number | null {
  const code = readBody(body).code;
  const isTemporary = status === 429 || status >= 500 || (status === 409 && code === "REQUEST_IN_PROGRESS");
  if (!isTemporary || code === "CONFIGURATION_ERROR") return null;
  const seconds = Number(headers["retry-after"] ?? "1");
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 60) * 1000 : 1000;
}

/** A request that is repeated until there is an answer that stands, or null after so many tries. For what may be asked twice. */
export async function callPatiently(
  memory: Memory,
  ask: Ask,
  request: Call,
  patience: Patience,
): Promise<HttpAnswer | null> {
  for (let tries = 0; tries < patience.tries; tries++) {
    const answer = await call(memory, ask, request);
    const waitMs = answer ? waitOf(answer) : null;
    if (answer && waitMs === null) return answer;
    await pause(patience, tries, waitMs);
  }
  return null;
}

/** `data` of a success; null for anything else. */
export function dataOf(answer: HttpAnswer | null): Table | null {
  if (!answer || answer.status < 200 || answer.status > 299) return null;
  return tableOf(readBody(answer.body).data);
}
