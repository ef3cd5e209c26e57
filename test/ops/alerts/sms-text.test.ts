import { describe, expect, test } from "vitest";
import { rankOperators, renderAlertSms } from "../../../src/ops/alerts/channels.ts";
import { RULE_NAMES } from "../../../src/ops/alerts/rules.ts";
import { split } from "../../../src/text/segments.ts";

const AT = Date.UTC(2026, 2, 2, 9, 12);
const FACTS = {
  operator: "telecel-faso-de-l-ouest",
  connection: 12,
  seconds: 86_400,
  share: 12,
  usual: 97,
  unmatched: 123_456,
  messages: 1_000_000,
  free: 1023,
  hours: 8760,
  left: 13,
  kind: "jumped",
  key: 'operators."telecel-faso-de-l-ouest".connections[11].tls_certificate',
  standing: "differs",
  endpoint: "01JABCDEFGHJKMNPQRSTVWXYZ0",
  spendable: 123_456_789,
  account: "Société Générale d’Électricité – Œuvres sociales ⚡ 東京".repeat(3),
};
const text = (
  rule: (typeof RULE_NAMES)[number] | "test",
  language: "en" | "fr",
  state: "start" | "repeat" | "end" = "start",
  starts = 1,
) => {
  const event = { rule, subject: "", state, sinceMs: AT, atMs: AT + 90 * 60_000, facts: FACTS };
  return renderAlertSms({ event, starts }, language, "Europe/Paris", "sms-gateway-1.internal.example.test");
};

describe("the text of an alarm", () => {
  test.each([...RULE_NAMES, "test" as const].map((rule) => [rule] as const))(
    "of %s is one segment of the GSM alphabet in both languages, however long what was found",
    (rule) => {
      for (const language of ["en", "fr"] as const)
        for (const state of ["start", "repeat", "end"] as const)
          expect(split(text(rule, language, state, 12))).toMatchObject({
            encoding: "GSM7",
            parts: [expect.any(String)],
          });
    },
  );

  test("says the machine, how it stands, since when, and where to look while it lasts", () => {
    expect(text("disk", "fr")).toBe(
      "sms-gateway-1.intern ALARME 02/03 10:12 : plus que 1023 Mo sur le disque des données. Voir : bendre alert list",
    );
    expect(text("disk", "en", "repeat")).toContain("STILL 02/03 10:12: only 1023 MB left");
    expect(text("disk", "en", "end")).toBe(
      "sms-gateway-1.intern OVER 02/03 10:12-02/03 11:42: only 1023 MB left on the data disk",
    );
    expect(text("disk", "fr", "start", 3)).toContain("ALARME x3 ");
  });
});

describe("the operators that an alarm goes over", () => {
  const operator = (code: string, changes: object = {}) => ({
    code,
    isOwner: false,
    works: true,
    hasAlert: false,
    hasFailed: false,
    ...changes,
  });

  test("are those that work: the number's own first, those that something is wrong with last", () => {
    const all = [
      operator("a", { hasFailed: true, isOwner: true }),
      operator("b", { hasAlert: true, isOwner: true }),
      operator("c", { works: false, isOwner: true }),
      operator("d"),
      operator("e", { isOwner: true }),
    ];
    expect(rankOperators(all)).toEqual(["e", "d", "b", "a"]);
  });
});
