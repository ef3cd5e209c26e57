import type { Clock } from "./clock.ts";
import { isoUtc } from "./clock.ts";
import { escapeControls, printableJson } from "./escape-controls.ts";
import type { TraceLog } from "./steps.ts";

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
  /** For single steps; none where nobody looks, so that `log.steps?.tell(…)` builds nothing. */
  readonly steps?: TraceLog | null;
};

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Names whose values are struck out wherever they turn up: a second guard; the first is not to log them. */
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
 * Lines for people, for where the log goes to a terminal: `2026-03-02 09:00:00 WARN  no link to the operator  operator=orange`,
 * in UTC. Values that hold blanks or quotes, or control characters that would steer the terminal, are written as JSON texts.
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

/** The same log with fields that every line of it carries, as they are when it is written. */
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

/** What went wrong in words that are safe to log: the kind and message of an error, never its data. */
export function errorText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Places in our own code that a line names. */
const MAX_FRAMES = 4;

/**
 * The fields of a line about an error that nobody expected: what it says, and where in our own code it came up, the innermost
 * place first. A place is a file and a line and holds no data.
 */
export function errorFields(error: unknown): { readonly error: string; readonly at?: string } {
  const at = ownFrames(error).slice(0, MAX_FRAMES).join(" < ");
  return { error: errorText(error), ...(at === "" ? {} : { at }) };
}

/** `src/db/write.ts:107` of each frame of the stack that is our own. */
function ownFrames(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { stack = "", message } = error;
  // The message stands in front, and may hold lines that look like frames.
  const frames = stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
  return frames.split("\n").flatMap((line) => {
    if (!/^\s*at /.test(line) || line.includes("node_modules/")) return [];
    const place = /(?:^|[(/\s])(src\/[\w./-]{1,100}\.ts:\d{1,9})(?::\d{1,9})?\)?$/.exec(line.trim());
    return place?.[1] === undefined ? [] : [place[1]];
  });
}
