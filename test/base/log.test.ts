import { describe, expect, test } from "vitest";
import { errorText, jsonLog, type LogLevel } from "../../src/base/log.ts";
import { testClock } from "../kit/test-clock.ts";

function written(least?: LogLevel) {
  const lines: string[] = [];
  const log = jsonLog(testClock(), (line) => lines.push(line), least);
  return { log, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>), lines };
}

describe("the log", () => {
  test("writes one JSON object a line: time, level, message and fields", () => {
    const { log, lines } = written();
    log.info("batch accepted", { batch: 7, note: "two\nlines", gone: undefined, none: null });
    expect(lines).toEqual([
      '{"time":"2026-03-02T09:00:00.000Z","level":"info","message":"batch accepted","batch":7,"note":"two\\nlines","none":null}',
    ]);
  });

  test("strikes out the value of every field named like a secret, in its own fields and in those of every line", () => {
    const names = [
      "password",
      "secret",
      "Authorization",
      "api_key",
      "apiKey",
      "api-key",
      "X-API-Key",
      "text",
      "body",
      "short_message",
    ];
    for (const name of names) {
      const { log, lines, parsed } = written();
      log.with({ [name]: "hunter2" }).warn("one");
      log.error("two", { [name]: "hunter2" });
      expect(lines.join()).not.toContain("hunter2");
      expect(parsed().map((line) => line[name])).toEqual(["[hidden]", "[hidden]"]);
    }
  });

  test("leaves out what is less than the least level", () => {
    const levels: LogLevel[] = ["debug", "info", "warn", "error"];
    for (const [index, least] of levels.entries()) {
      const { log, parsed } = written(least);
      for (const level of levels) log[level](level);
      expect(parsed().map((line) => line.level)).toEqual(levels.slice(index));
    }
  });

  test("carries the fields of `with` on every line, the nearer ones over the farther", () => {
    const { log, parsed } = written();
    log.with({ operator: "orange", connection: 1 }).with({ connection: 2 }).info("bound", { state: "TRX" });
    expect(parsed()[0]).toMatchObject({ operator: "orange", connection: 2, state: "TRX" });
  });

  test("tells an error by its kind and message, and anything else as text", () => {
    expect(errorText(new TypeError("no"))).toBe("TypeError: no");
    expect(errorText("plain")).toBe("plain");
  });
});
