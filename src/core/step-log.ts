import type { Log } from "./log.ts";
import type { FollowedMessage, TraceLog, TraceArea } from "./steps.ts";

export type TraceLogDeps = {
  /** Takes the steps of rooms, if its level is "debug" at that moment. */
  readonly log: Log;
  /** Takes the steps of followed messages, whatever the level of the others is. */
  readonly followLog: Log;
  /** Every step of these rooms is told. */
  readonly rooms: readonly TraceArea[];
  readonly followed: ReadonlyMap<number, FollowedMessage>;
  /** The id of a message by its row, as people see it; null when there is none. */
  readonly idOf: (row: number) => string | null;
};

export function createTraceLog({ log, followLog, rooms, followed, idOf }: TraceLogDeps): TraceLog {
  const shown = new Set(rooms);
  return {
    tell: (room, what, { message, ...fields }) => {
      const follows = message === undefined ? undefined : followed.get(message);
      if (!follows && !shown.has(room)) return;
      const named =
        message === undefined ? undefined : (follows?.messageId ?? idOf(message) ?? `row ${message}`);
      (follows ? followLog : log).debug(what, {
        room,
        ...(named !== undefined && { message_id: named }),
        ...fields,
      });
    },
    shows: (room) => shown.has(room),
    followed,
  };
}

/** The log, with its steps; they carry the fields of their own line alone. */
export function withTrace(log: Log, steps: TraceLog): Log {
  return { ...log, steps, with: (fields) => withTrace(log.with(fields), steps) };
}

/** How many digits of a number stand for dots, before its last two. */
const HIDDEN_DIGITS = 4;
const LAST_DIGITS = 2;

/** Where the digits of a number begin that a log must not show, and where they end; null for what is no number of a phone. */
export function hiddenDigits(number: string): { readonly from: number; readonly to: number } | null {
  if (!/^\+?\d{7,}$/.test(number)) return null;
  const to = number.length - LAST_DIGITS;
  return { from: to - HIDDEN_DIGITS, to };
}

/** A number as a log may show it: `+22670....01`. What is no number of a phone stays as it is. */
export function shortNumber(number: string): string {
  const hidden = hiddenDigits(number);
  return hidden ? `${number.slice(0, hidden.from)}....${number.slice(hidden.to)}` : number;
}
