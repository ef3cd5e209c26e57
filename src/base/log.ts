import type { Clock } from "./clock.ts";
import { isoUtc } from "./clock.ts";

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
};

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Names whose values are struck out wherever they turn up: a second fence behind not logging them at all. */
const SECRET_NAMES = /^(password|secret|authorization|api[-_]?key|x-api-key|text|body|short_message)$/i;

/** One JSON object a line, handed to `write` without the line end (administration.md section 1). */
export function jsonLog(
  clock: Clock,
  write: (line: string) => void,
  least: LogLevel = "info",
  always: LogFields = {},
): Log {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (RANK[level] < RANK[least]) return;
      const line: Record<string, unknown> = { time: isoUtc(clock.nowMs()), level, message };
      for (const source of [always, fields]) {
        for (const [name, value] of Object.entries(source)) {
          if (value !== undefined) line[name] = SECRET_NAMES.test(name) ? "[hidden]" : value;
        }
      }
      write(JSON.stringify(line));
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => jsonLog(clock, write, least, { ...always, ...fields }),
  };
}

/** What went wrong in words that are safe to log: the kind and message of an error, never its data. */
export function errorText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
