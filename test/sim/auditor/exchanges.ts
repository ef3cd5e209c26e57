/** Requests with their answers, commands with their outcomes. */
import type { Observation } from "../observation.ts";
import { type Json, jsonReaders } from "./json.ts";

export type Answer = {
  readonly atMs: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly json: Json;
};

export type Exchange = {
  readonly id: number;
  readonly client: string;
  readonly method: "GET" | "POST";
  /** Without the query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly json: Json;
  /** The key it came with; null without one. */
  readonly apiKey: string | null;
  readonly askedAtMs: number;
  /** Null: none came, and nobody knows what became of the request. */
  readonly answer: Answer | null;
  /** When the answer came, or when it was clear that none would; null when the run ended before. */
  readonly endedAtMs: number | null;
};

export type Outcome =
  | { readonly ok: true; readonly data: Json }
  | { readonly ok: false; readonly code: string; readonly detail: string };

export type Commanded = {
  readonly id: number;
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
  readonly askedAtMs: number;
  /** Null: broken off, done whole or not at all. */
  readonly outcome: Outcome | null;
  /** Broken off in the words of an outcome too: the connection to the server ended, or the server stopped. */
  readonly wasDone: "yes" | "no" | "perhaps";
  readonly endedAtMs: number | null;
};

/** Refusals of which nobody can tell whether the change was made before them. */
const IN_DOUBT = ["STOPPING", "SERVER_LOST", "INTERNAL_ERROR"];

/** All that was asked over HTTP, in the order it was asked. */
export function exchangesOf(observations: readonly Observation[]): readonly Exchange[] {
  const reader = jsonReaders();
  const ends = new Map<number, { readonly atMs: number; readonly answer: Answer | null }>();
  for (const seen of observations) {
    if (seen.kind === "answer") ends.set(seen.id, { atMs: seen.atMs, answer: answerOf(seen, reader) });
    else if (seen.kind === "no answer") ends.set(seen.id, { atMs: seen.atMs, answer: null });
  }
  return observations.flatMap((seen) => {
    if (seen.kind !== "request") return [];
    const { id, client, method, headers, atMs } = seen;
    const end = ends.get(id);
    const json = reader(() => seen.body);
    const [path = "", query = ""] = seen.path.split("?", 2);
    const apiKey = headers.authorization?.replace(/^Bearer /i, "") ?? headers["x-api-key"] ?? null;
    return {
      id,
      client,
      method,
      path,
      query: new URLSearchParams(query),
      headers,
      apiKey,
      get body() {
        return seen.body;
      },
      get json() {
        return json();
      },
      askedAtMs: atMs,
      answer: end?.answer ?? null,
      endedAtMs: end?.atMs ?? null,
    };
  });
}

const CANCEL = /^\/public\/v1\/batches\/([^/]+)\/cancel$/;

/** The batch that a client was answered of that it is called off; null for every other request. */
export function cancelledBy({ method, path, answer }: Exchange): string | null {
  return method === "POST" && answer?.status === 202 ? (CANCEL.exec(path)?.[1] ?? null) : null;
}

function answerOf(
  seen: Extract<Observation, { kind: "answer" }>,
  reader: ReturnType<typeof jsonReaders>,
): Answer {
  const { atMs, status, headers } = seen;
  const json = reader(() => seen.body);
  return {
    atMs,
    status,
    headers,
    get body() {
      return seen.body;
    },
    get json() {
      return json();
    },
  };
}

/** All that was commanded, in the order it was. */
export function commandsOf(observations: readonly Observation[]): readonly Commanded[] {
  const ends = new Map<number, { readonly atMs: number; readonly outcome: Outcome | null }>();
  for (const seen of observations) {
    if (seen.kind === "outcome") {
      const outcome: Outcome = seen.ok
        ? { ok: true, data: seen.data }
        : { ok: false, code: seen.code, detail: seen.detail };
      ends.set(seen.id, { atMs: seen.atMs, outcome });
    } else if (seen.kind === "no outcome") ends.set(seen.id, { atMs: seen.atMs, outcome: null });
  }
  return observations.flatMap((seen) => {
    if (seen.kind !== "command") return [];
    const { id, name, args, atMs } = seen;
    const end = ends.get(id);
    const outcome = end?.outcome ?? null;
    return {
      id,
      name,
      args,
      askedAtMs: atMs,
      outcome,
      wasDone: doneBy(outcome),
      endedAtMs: end?.atMs ?? null,
    };
  });
}

function doneBy(outcome: Outcome | null): Commanded["wasDone"] {
  if (outcome === null) return "perhaps";
  if (outcome.ok) return "yes";
  return IN_DOUBT.includes(outcome.code) ? "perhaps" : "no";
}
