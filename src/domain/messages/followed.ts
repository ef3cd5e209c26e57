/** Who looks at single steps: a configuration that asks for rooms, and a server started to follow some messages. */
import type { Log } from "../../core/log.ts";
import { createTraceLog, withTrace } from "../../core/step-log.ts";
import { type FollowedMessage, TRACE_AREAS, type TraceLog, type TraceArea } from "../../core/steps.ts";
import { PhrasedError } from "../../core/told-error.ts";
import type { Reader } from "../../db/read.ts";
import { phrase } from "../../i18n/phrase.ts";
import { messageIdOf } from "./trace.ts";

export type TraceLogger = {
  /** The log, with steps. */
  readonly log: Log;
  readonly steps: TraceLog;
  /** Begins to follow the messages that were asked for. @throws UnknownMessage when there is none of an id. */
  readonly begin: (read: Reader) => void;
};

/** A message was to be followed that does not exist. */
export class UnknownMessage extends PhrasedError {
  override name = "UnknownMessage";

  constructor(id: string) {
    super(phrase("refusal.MESSAGE_NOT_FOUND.followed", { id }));
  }
}

export type Looked = {
  readonly level: string;
  /** Rooms whose steps are told at the level "debug"; none: all. */
  readonly rooms: readonly TraceArea[];
  /** Ids of messages whose steps are told at any level. */
  readonly follow: readonly string[];
};

/** Null where nobody looks, so that steps cost nothing. `debugLog` must take lines of the level "debug". */
export function createTraceLogger(log: Log, debugLog: Log, { level, rooms, follow }: Looked): TraceLogger | null {
  const shown = level !== "debug" ? [] : rooms.length > 0 ? rooms : TRACE_AREAS;
  if (shown.length === 0 && follow.length === 0) return null;
  const followed = new Map<number, FollowedMessage>();
  let from: Reader | null = null;
  const idOf = (row: number): string | null => from && messageIdOf(from, row);
  const steps = createTraceLog({ log, followLog: debugLog, rooms: shown, followed, idOf });
  const begin = (read: Reader): void => {
    from = read;
    for (const messageId of follow) {
      const row = read.get<{ id: number; msisdn: string }>(
        "SELECT id, msisdn FROM messages WHERE ulid = ?",
        messageId,
      );
      if (!row) throw new UnknownMessage(messageId);
      followed.set(row.id, { messageId, msisdn: row.msisdn });
    }
    if (follow.length > 0) debugLog.info("following messages", { message_ids: follow.join(" ") });
  };
  return { log: withTrace(log, steps), steps, begin };
}
