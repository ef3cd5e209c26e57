import { describe, expect, test } from "vitest";
import { assert } from "../../src/core/assert.ts";
import { errorFields, errorText, jsonLog, type LogLevel, terminalLog } from "../../src/core/log.ts";
import { testClock } from "../kit/test-clock.ts";

function written(least: LogLevel = "info") {
  const lines: string[] = [];
  const log = jsonLog(
    testClock(),
    (line) => lines.push(line),
    () => least,
  );
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

describe("the log on a terminal", () => {
  test("is a line for people: when, how bad, what, and the fields by name", () => {
    const lines: string[] = [];
    const log = terminalLog(
      testClock(),
      (line) => lines.push(line),
      () => "info",
    );
    log.with({ operator: "orange" }).warn("no link to the operator", {
      port: 2775,
      reason: "nothing listens there",
      password: "hunter2",
      gone: undefined,
    });
    log.info("ready");
    log.debug("never");
    expect(lines).toEqual([
      '2026-03-02 09:00:00 WARN  no link to the operator  operator=orange port=2775 reason="nothing listens there" password=[hidden]',
      "2026-03-02 09:00:00 INFO  ready",
    ]);
  });

  test("never hands control characters to it", () => {
    const lines: string[] = [];
    const log = terminalLog(
      testClock(),
      (line) => lines.push(line),
      () => "info",
    );
    log.warn("said \u009b2J");
    log.error("odd", { text_of_operator: "a\u001b[2J\u009b2J\u202eb\nc", empty: "", equals: "a=b" });
    expect(lines).toEqual([
      "2026-03-02 09:00:00 WARN  said \\u009b2J",
      '2026-03-02 09:00:00 ERROR odd  text_of_operator="a\\u001b[2J\\u009b2J\\u202eb\\nc" empty="" equals="a=b"',
    ]);
  });
});

describe("an error that nobody expected", () => {
  const withStack = (...frames: string[]) => {
    const error = new Error("boom");
    error.stack = ["Error: boom", ...frames.map((frame) => `    at ${frame}`)].join("\n");
    return error;
  };

  test("is told with the first places in our own code, as files and lines", () => {
    const error = withStack(
      "prepare (bun:sqlite:366:37)",
      "run (/srv/bendre/src/db/writer.ts:60:47)",
      "<anonymous> (src/domain/messages/apply-facts.ts:12:3)",
      "/home/x/bendre/src/dispatch/recorder.ts:47:9",
      "parse (/app/node_modules/elysia/src/index.ts:1:2)",
      "native code",
      "d (src/d.ts:4:4)",
      "e (src/e.ts:5:5)",
    );
    expect(errorFields(error)).toEqual({
      error: "Error: boom",
      at: "src/db/writer.ts:60 < src/domain/messages/apply-facts.ts:12 < src/dispatch/recorder.ts:47 < src/d.ts:4",
    });
  });

  test("shows nothing of what its message or its frames hold besides", () => {
    const error = withStack("f (secret body src/a.ts is odd)", "/x/src/b.ts?body=hunter2:1:1");
    expect(errorFields(error)).toEqual({ error: "Error: boom" });
    expect(errorFields("text")).toEqual({ error: "text" });
  });

  test("takes no place from a message that has lines like frames", () => {
    const value = "src/22670000001.ts:4711";
    const error = withStack("g (src/core/clock.ts:7:1)");
    error.message = `no\n    at f (${value}:1)`;
    error.stack = `Error: ${error.message}\n    at g (src/core/clock.ts:7:1)`;
    expect(errorFields(error).at).toBe("src/core/clock.ts:7");
  });

  test("really has the place where it was thrown", () => {
    let thrown: unknown;
    try {
      assert(false, "must be true");
    } catch (error) {
      thrown = error;
    }
    expect(errorFields(thrown).at).toMatch(/^src\/core\/assert\.ts:\d+$/);
  });
});

test("the level may change while it is written", () => {
  const lines: string[] = [];
  let least: LogLevel = "warn";
  const log = jsonLog(
    testClock(),
    (line) => lines.push(line),
    () => least,
  );
  const room = log.with({ room: "x" });
  room.info("unseen");
  least = "info";
  room.info("seen");
  expect(lines).toHaveLength(1);
});
