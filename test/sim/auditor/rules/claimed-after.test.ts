import { expect, test } from "vitest";
import { idOf, type Scene } from "../scene.ts";
import { atRest, oneText } from "../wire-scene.ts";
import { claimedAfter } from "./claimed-after.ts";
import { found } from "./found.ts";

type Entry = Readonly<Record<string, unknown>>;

/** The message of batch 1 was claimed ten seconds past midnight; administrators have done what `entries` tell. */
function verdict(...entries: readonly Entry[]): string {
  const run: Scene = oneText();
  run.command("audit list", { limit: "10000" }, { data: { entries } });
  return found(atRest(run, { submitted_at: "2026-01-01T00:00:10.000Z" }), claimedAfter);
}

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;
const cancel = (second: number) => ({ at: at(second), action: "batch cancel", subject: idOf(1), detail: {} });
const account = (second: number, what: string) => ({
  at: at(second),
  action: `account ${what}`,
  subject: idOf(900),
  detail: {},
});
const suppression = (second: number, what: string, message_class = "all", subject = idOf(900)) => ({
  at: at(second),
  action: `suppression ${what}`,
  subject,
  detail: { msisdn: "+22607000001", message_class },
});

test("a claim before its batch was cancelled is no finding, and one after it is", () => {
  expect(verdict(cancel(10))).toBe("");
  expect(verdict(cancel(9))).toContain("claimed-after");
});

test("a claim between a suspension and its end is a finding", () => {
  expect(verdict(account(8, "suspend"))).toContain("account suspend");
  expect(verdict(account(8, "suspend"), account(9, "resume"))).toBe("");
});

test("a claim after its number was taken off for its class is a finding", () => {
  expect(verdict(suppression(9, "add"))).toContain("suppression add");
  expect(verdict(suppression(9, "add", "TRANSACTIONAL", "everywhere"))).toContain("suppression add");
  expect(verdict(suppression(9, "add", "MARKETING"))).toBe("");
  expect(verdict(suppression(8, "add"), suppression(9, "remove"))).toBe("");
  expect(verdict(suppression(11, "add"))).toBe("");
});
