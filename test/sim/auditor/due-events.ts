/** What endpoints must hear of at last: every end of a message, and what became of every batch. */
import { finalStatesOf } from "./final-states.ts";
import { type Json, text } from "./json.ts";
import { once } from "./once.ts";

/** Something that happened, of which every endpoint of its account that asked for it is told. */
export type DueEvent = {
  readonly type: string;
  readonly account: string;
  readonly batchId: string;
  /** The message, or the batch. */
  readonly id: string;
  readonly status: string;
  /** When somebody was told of it over the API. */
  readonly atMs: number;
};

const BY_STATUS: Readonly<Record<string, string>> = {
  SETTLED: "BATCH_SETTLED",
  REJECTED: "BATCH_REJECTED",
  FAILED: "BATCH_FAILED",
  CANCELLED: "BATCH_CANCELLED",
};

/** Everything that had happened when the world came to rest, by what clients were told then. */
export const dueEventsOf = once((history): readonly DueEvent[] => {
  const messages = [...finalStatesOf(history).values()].flatMap(({ messageId, view, status, isFinal }) =>
    isFinal
      ? [
          {
            type: "MESSAGE_TERMINAL",
            account: view.account,
            batchId: view.batchId,
            id: messageId,
            status,
            atMs: view.atMs,
          },
        ]
      : [],
  );
  const { sightings, exchanges, restAtMs } = history;
  const validated = new Set(
    exchanges.flatMap(({ method, path, answer }) => {
      const isLarge = method === "POST" && path === "/public/v1/batches" && answer?.status === 202;
      return isLarge && text(answer.json, "data", "status") === "VALIDATING"
        ? [text(answer.json, "data", "batch_id") ?? ""]
        : [];
    }),
  );
  const batches = new Map(
    sightings.batchViews
      .filter(({ by, askedAtMs }) => by === "client" && restAtMs !== null && askedAtMs >= restAtMs)
      .map((view) => [view.batchId, view]),
  );
  const ends = [...batches.values()].flatMap(({ batchId, account, status, atMs }) => {
    const type = BY_STATUS[status];
    const about = { account, batchId, id: batchId, status, atMs };
    // Who was told in the 202 that nobody is accepted need not be told again.
    const wasAnswered = status === "REJECTED" && !validated.has(batchId);
    const end = type === undefined || wasAnswered ? [] : [{ ...about, type }];
    return status === "SETTLED" && validated.has(batchId)
      ? [...end, { ...about, type: "BATCH_ACCEPTED" }]
      : end;
  });
  return [...messages, ...ends];
});

/** The message or the batch that an event is about. */
export function subjectOf(json: Json): string | null {
  const key = text(json, "type") === "MESSAGE_TERMINAL" ? "message_id" : "batch_id";
  return text(json, "data", key);
}
