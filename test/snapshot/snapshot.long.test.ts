import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ADMIN_COMMANDS } from "../../src/admin/commands.ts";
import { ROUTES } from "../../src/console/server/routes/table.ts";
import { EVENT_TYPES } from "../../src/domain/events/outbox.ts";
import { FAILURES } from "../../src/ingress/http/error-codes.ts";
import { CONSOLE_FILES, CSV_COMMANDS } from "./files.ts";
import { playSnapshot, SNAPSHOT_FILES, type Snapshot } from "./play.ts";
import { NOT_PLAYED } from "./refusals.ts";
import { COMMANDS } from "./typed.ts";

let played: Snapshot;
beforeAll(async () => {
  played = await playSnapshot();
}, 120_000);

describe("what clients and administrators rely on is what it was, or was changed on purpose (keep.ts)", () => {
  test.each(SNAPSHOT_FILES)("%s", (file) => {
    expect(played[file]).toBe(readFileSync(join(import.meta.dir, "kept", file), "utf8"));
  });

  test("every code of the public API is met, but for those that cannot be", () => {
    const isMet = (code: string) =>
      [played["answers.txt"], played["errors.txt"], played["restored.txt"]].some((text) =>
        text.includes(`"code": "${code}"`),
      );
    const missing = Object.keys(FAILURES).filter((code) => !isMet(code));
    expect(missing).toEqual(Object.keys(NOT_PLAYED));
  });

  test("endpoints are told of every type of event", () => {
    const isTold = (type: string) => played["told.txt"].includes(`{"type":"${type}"`);
    expect(EVENT_TYPES.filter((type) => !isTold(type))).toEqual([]);
  });

  test("every file of the console is taken away, and every command with --csv is typed", () => {
    const routes = Object.keys(ROUTES).filter((route) => route.endsWith(".csv"));
    expect(routes.filter((route) => CONSOLE_FILES.every((file) => file.route !== route))).toEqual([]);
    const commands = ADMIN_COMMANDS.filter(({ csv }) => csv !== undefined).map(({ name }) => name);
    const isTyped = (name: string) => CSV_COMMANDS.some((line) => line.startsWith(name));
    expect(commands.filter((name) => !isTyped(name))).toEqual([]);
  });

  test("every command of a running server is played", () => {
    const isPlayed = (name: string) => COMMANDS.some((line) => line === name || line.startsWith(`${name} `));
    expect(ADMIN_COMMANDS.map(({ name }) => name).filter((name) => !isPlayed(name))).toEqual([]);
  });
});
