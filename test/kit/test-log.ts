import type { Log, LogFields, LogLevel } from "../../src/core/log.ts";

export type LogLine = { readonly level: LogLevel; readonly message: string } & LogFields;

/** A log that keeps its lines for a test to read. */
export function testLog(): Log & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const make = (always: LogFields): Log => {
    const at =
      (level: LogLevel) =>
      (message: string, fields: LogFields = {}) => {
        lines.push({ ...always, ...fields, level, message } as LogLine);
      };
    return {
      debug: at("debug"),
      info: at("info"),
      warn: at("warn"),
      error: at("error"),
      with: (fields) => make({ ...always, ...fields }),
    };
  };
  return { ...make({}), lines };
}
