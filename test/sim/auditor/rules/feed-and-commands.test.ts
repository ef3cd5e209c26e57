import { describe, expect, test } from "vitest";
import { delivered, idOf, type Otherwise, page, type Scene, wholeRun } from "../scene.ts";
import { commands } from "./commands.ts";
import { feedWhole } from "./feed-whole.ts";
import { found } from "./found.ts";

const run = (otherwise: Otherwise) => found(wholeRun(otherwise), feedWhole, commands);
const feed =
  (...rows: readonly unknown[]) =>
  (scene: Scene) =>
    void scene.ask({ client: "alpha", path: "/messages?status_changed_since=2025" }, page(rows));

describe("the feed at rest", () => {
  test("is a finding where a message is missing", () => {
    expect(run({ rows: [{}, { batch_id: idOf(8) }] })).toContain("in no page of the feed");
  });

  test("is a finding where a message has not ended, or is two", () => {
    expect(run({ rows: [{}, { is_final: false, status: "SENT" }] })).toContain("not final");
    const second = delivered(idOf(1), 0, { message_id: idOf(777) });
    expect(run({ after: feed(second) })).toContain("is several messages");
  });
});

describe("what was commanded", () => {
  const entries = [{ action: "account create" }, { action: "key create" }, { action: "wallet topup" }];
  const audited = (rows: readonly unknown[]) => (scene: Scene) =>
    void scene.command("audit list", { limit: "10000" }, { data: { entries: rows } });

  test("stands in the audit list", () => {
    expect(run({ after: audited(entries) })).toBe("");
    expect(run({ after: audited(entries.slice(1)) })).toContain('"account create" was acknowledged');
  });

  test("stands in the list of accounts", () => {
    const list = (rows: readonly unknown[]) => (scene: Scene) =>
      void scene.command("account list", {}, { data: { accounts: rows } });
    expect(run({ after: list([{ account_id: idOf(900), name: "alpha" }]) })).toBe("");
    expect(run({ after: list([]) })).toContain("lacks it");
  });
});
