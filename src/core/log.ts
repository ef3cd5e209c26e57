/**
 * The log of the appliance (docs/administration.md#logs): one line an event, as JSON (`jsonLog`) or for a terminal (`terminalLog`).
 * Secrets are redacted by name, and phone numbers are shortened by those who log them (`shortNumber`).
 *
 * `errorFields` says what a line about an error holds. `rateLimitedLog` writes at most one line a minute of a kind. `TraceLog` writes
 * single steps of the work (docs/operations.md#step-by-step), and is absent where nobody traces, so that untraced steps cost nothing.
 */
import { type Cancel, type Clock, isoUtc } from "./clock.ts";
import { escapeControls, printableJson } from "./terminal-text.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

/** What a line may carry beside its message. Bodies, keys, passwords and secrets are never among it. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type Log = {
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
  /** The same log with fields that every line of it carries. */
  readonly with: (fields: LogFields) => Log;
  /** The trace; null where nobody looks, so that `log.steps?.tell(…)` builds nothing. */
  readonly steps?: TraceLog | null;
};

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Names whose values are redacted wherever they occur: a second guard; the first is not to log them. */
const SECRET_NAMES = /^(password|secret|authorization|api[-_]?key|x-api-key|text|body|short_message)$/i;

/** A line as it is about to be written. */
type LogLine = {
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: readonly (readonly [name: string, value: LogFields[string]])[];
};

/** One JSON object a line, handed to `write` without the line end (docs/administration.md#logs). */
export function jsonLog(clock: Clock, write: (line: string) => void, least: () => LogLevel): Log {
  return logOf(clock, write, least, {}, ({ time, level, message, fields }) =>
    printableJson({ time, level, message, ...Object.fromEntries(fields) }),
  );
}

/**
 * Lines for people, for a log that goes to a terminal: `2026-03-02 09:00:00 WARN  no link to the operator  operator=orange`, in
 * UTC. Values that hold blanks or quotes, or control characters that would steer the terminal, are written as JSON texts.
 */
export function terminalLog(clock: Clock, write: (line: string) => void, least: () => LogLevel): Log {
  return logOf(clock, write, least, {}, ({ time, level, message, fields }) => {
    const words = fields.map(([name, value]) => `${name}=${plainValue(value)}`).join(" ");
    const head = `${time.slice(0, 10)} ${time.slice(11, 19)} ${level.toUpperCase().padEnd(5)} ${escapeControls(message)}`;
    return words === "" ? head : `${head}  ${words}`;
  });
}

function plainValue(value: LogFields[string]): string {
  const text = String(value);
  return /^[^\s"=\p{C}]+$/u.test(text) ? text : printableJson(text);
}

function logOf(
  clock: Clock,
  write: (line: string) => void,
  least: () => LogLevel,
  always: LogFields,
  format: (line: LogLine) => string,
): Log {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (RANK[level] < RANK[least()]) return;
      const told = new Map<string, LogFields[string]>();
      for (const source of [always, fields]) {
        for (const [name, value] of Object.entries(source)) {
          if (value !== undefined) told.set(name, SECRET_NAMES.test(name) ? "[hidden]" : value);
        }
      }
      write(format({ time: isoUtc(clock.nowMs()), level, message, fields: [...told] }));
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => logOf(clock, write, least, { ...always, ...fields }, format),
  };
}

/** The same log with fields on every line, as they are when it is written. */
export function withFields(log: Log, fields: () => LogFields): Log {
  const at = (level: LogLevel) => (message: string, more?: LogFields) =>
    log[level](message, { ...fields(), ...more });
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (always) => withFields(log.with(always), fields),
    steps: log.steps ?? null,
  };
}

/** An error in words that are safe to log: its kind and message, never its data. */
export function errorText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** What the system or SQLite calls an error, such as ENOENT; "" for an error without a code. */
export function systemErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Places in our own code that a line names. */
const MAX_FRAMES = 4;

/**
 * The fields of a line about an unexpected error: its message, and where in our own code it came up, the innermost place first. A
 * place is a file and a line and holds no data.
 */
export function errorFields(error: unknown): { readonly error: string; readonly at?: string } {
  const at = ownFrames(error).slice(0, MAX_FRAMES).join(" < ");
  return { error: errorText(error), ...(at === "" ? {} : { at }) };
}

/** `src/db/writer.ts:107` of each frame of the stack that is our own. */
function ownFrames(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { stack = "", message } = error;
  // The message comes first, and may hold lines that look like frames.
  const frames = stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
  return frames.split("\n").flatMap((line) => {
    if (!/^\s*at /.test(line) || line.includes("node_modules/")) return [];
    const place = /(?:^|[(/\s])(src\/[\w./-]{1,100}\.ts:\d{1,9})(?::\d{1,9})?\)?$/.exec(line.trim());
    return place?.[1] === undefined ? [] : [place[1]];
  });
}

// The trace: single steps, for whoever looks for a fault: claims, PDUs, facts, attempts, slow statements. Code that takes a step calls
// `log.steps?.tell("sms", "claimed", { … })`. Where nobody looks there is no trace, so that nothing is built.

/** Rooms that write to the trace. */
export const TRACE_AREAS = ["messages", "smpp", "sms", "store", "webhooks"] as const;
export type TraceArea = (typeof TRACE_AREAS)[number];

/** Fields of a step; `message`: the row of the message it happened to, written as its id. Never a text or a whole number. */
export type TraceFields = Readonly<Record<string, string | number | boolean | null | undefined>> & {
  readonly message?: number | undefined;
};

/** A message whose steps are traced whatever the level is. */
export type FollowedMessage = { readonly messageId: string; readonly msisdn: string };

export type TraceLog = {
  /** Writes a step, if its room is traced or it happened to a followed message. */
  readonly tell: (room: TraceArea, what: string, fields: TraceFields) => void;
  /** Whether every step of a room is traced. */
  readonly shows: (room: TraceArea) => boolean;
  /** Followed messages, by row. */
  readonly followed: ReadonlyMap<number, FollowedMessage>;
};

type TraceLogDeps = {
  /** Gets the steps of rooms, if its level is "debug" at that moment. */
  readonly log: Log;
  /** Gets the steps of followed messages, whatever the level of the others is. */
  readonly followLog: Log;
  /** Rooms whose every step is traced. */
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

/** The log with its trace; steps carry only their own fields. */
export function withTrace(log: Log, steps: TraceLog): Log {
  return { ...log, steps, with: (fields) => withTrace(log.with(fields), steps) };
}

/** How many digits of a number are replaced by dots, before its last two. */
const HIDDEN_DIGITS = 4;
const LAST_DIGITS = 2;

/** Where the digits of a number that a log must not show begin and end; null for what is no phone number. */
export function hiddenDigits(number: string): { readonly from: number; readonly to: number } | null {
  if (!/^\+?\d{7,}$/.test(number)) return null;
  const to = number.length - LAST_DIGITS;
  return { from: to - HIDDEN_DIGITS, to };
}

/** A number as a log may show it: `+22670....01`. What is no phone number stays as it is. */
export function shortNumber(number: string): string {
  const hidden = hiddenDigits(number);
  return hidden ? `${number.slice(0, hidden.from)}....${number.slice(hidden.to)}` : number;
}

// A rate-limited log for what may come a thousand times a second: a disk that stays full, an operator that refuses everything. Of each
// kind there is a line when it starts, and then at most one a minute that says how many came meanwhile.

export type RateLimitedLog = {
  /**
   * Notes one more of a kind. The first is a line at once; those of the next minute are counted and logged together at its end,
   * with the words and fields of the last of them. A minute without any ends the kind: the next one is a first again. Lines carry
   * `times`, and after the first `seconds`: so many came in so many seconds since the line before.
   */
  readonly note: (level: LogLevel, kind: string, message: string, fields?: LogFields) => void;
  /** Logs what was counted and not logged yet, and cancels every timer. What is noted later is a line each. */
  readonly close: () => void;
};

const EVERY_MS = 60_000;
/** Kinds counted apart at a time: what a peer may vary must not fill the memory. The others share one. */
const MAX_KINDS = 100;
const OTHERS = "others";

type Gathering = {
  level: LogLevel;
  message: string;
  fields: LogFields;
  /** Count since the last line. */
  times: number;
  loggedAtMs: number;
  cancel: Cancel;
};

/** A rate-limited log over one log. Its timers run on the clock until it is closed. */
export function rateLimitedLog(log: Log, clock: Clock): RateLimitedLog {
  const kinds = new Map<string, Gathering>();
  let closed = false;

  const tell = (of: Gathering): void => {
    const seconds = Math.round((clock.steadyMs() - of.loggedAtMs) / 1000);
    log[of.level](of.message, { ...of.fields, times: of.times, seconds });
    of.times = 0;
    of.loggedAtMs = clock.steadyMs();
  };

  const look = (kind: string, of: Gathering): void => {
    if (of.times === 0) {
      kinds.delete(kind);
      return;
    }
    tell(of);
    of.cancel = clock.after(EVERY_MS, () => look(kind, of));
  };

  return {
    note: (level, named, message, fields = {}) => {
      if (closed) {
        log[level](message, { ...fields, times: 1 });
        return;
      }
      const kind = kinds.has(named) || kinds.size < MAX_KINDS ? named : OTHERS;
      const known = kinds.get(kind);
      if (known) {
        Object.assign(known, { level, message, fields, times: known.times + 1 });
        return;
      }
      log[level](message, { ...fields, times: 1 });
      const begun = { level, message, fields, times: 0, loggedAtMs: clock.steadyMs(), cancel: () => {} };
      kinds.set(kind, begun);
      begun.cancel = clock.after(EVERY_MS, () => look(kind, begun));
    },
    close: () => {
      closed = true;
      for (const of of kinds.values()) {
        of.cancel();
        if (of.times > 0) tell(of);
      }
      kinds.clear();
    },
  };
}
