/** Times that the pages tell: those of a configuration that says nothing else. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../src/docs/site/language.ts";
import { configOf, document } from "../config/sample.ts";

const { webhooks, delivery, whatsapp } = configOf(document());
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Every time that a text tells, in seconds: "5 minutes", "an hour", "2 heures". */
const timesIn = (text: string): number[] =>
  [...text.matchAll(/\b(\d+|an|une) (s|m|h)(?:econd|inute|our|eure)/g)].map(
    ([, count = "", unit = ""]) => (/\d/.test(count) ? Number(count) : 1) * (SECONDS[unit] ?? 0),
  );

describe.each(LANGUAGES)("the pages (%s)", (language) => {
  const page = (name: string) =>
    readFileSync(join(import.meta.dirname, `../../src/docs/guide/${language}/${name}.md`), "utf8");

  test("have the timetables of webhooks", () => {
    const section =
      page("webhooks")
        .split("\n## ")
        .find((part) => /^(When it comes|Quand il revient)/.test(part)) ?? "";
    const [ofEvents = [], ofEndpoints = []] = section
      .split(/\n\n/)
      .filter((part) => part.startsWith("|"))
      .map((table) => table.split("\n").slice(2, 5))
      .map((rows) => rows.flatMap((row) => timesIn(row.split("|")[2] ?? "")));
    expect(ofEvents).toEqual([...webhooks.retry_seconds]);
    expect(ofEndpoints).toEqual(webhooks.probe_seconds.slice(0, -1));
    expect(section).toMatch(/^\| 11 (?:to|à) 19 [^|]*\| (?:an hour|une heure) \|$/m);
    expect(webhooks.probe_seconds.at(-1)).toBe(3600);
  });

  test("have how long an answer and a receipt are waited for, and how long a class is worth sending", () => {
    const limits = page("limits");
    const told = (row: RegExp) => timesIn(limits.split("\n").find((line) => row.test(line)) ?? "");
    const hours = (count: number) => count * 3600;
    expect(told(/^\| `SUBMITTED`/)).toEqual([hours(delivery.unanswered.wait_hours)]);
    expect(told(/^\| `SENT`/)).toEqual([
      hours(delivery.receipt_timeout_hours),
      hours(whatsapp.receipt_timeout_hours),
    ]);
    const { OTP, TRANSACTIONAL, MARKETING } = delivery.validity_minutes;
    expect(told(/OTP, TRANSACTIONAL, MARKETING/)).toEqual(
      [OTP, TRANSACTIONAL, MARKETING].map((minutes) => minutes * 60),
    );
  });
});
