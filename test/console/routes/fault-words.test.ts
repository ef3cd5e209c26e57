/** What is wrong with a request is told in plain words, in the reader's language. */
import type { TSchema } from "typebox";
import { expect, test } from "vitest";
import type { Route } from "../../../src/console/server/routes/route.ts";
import { findFaults } from "../../../src/console/server/routes/run-route.ts";
import { ROUTES } from "../../../src/console/server/routes/table.ts";
import { type Phrase, phrase } from "../../../src/i18n/phrase.ts";
import { english } from "../../../src/i18n/text.ts";

const BAD: readonly unknown[] = [
  ...[undefined, null, "", "?", "x".repeat(10_000), 1.5, -1e15, 1e15, true, [], ["?", 1], {}],
  ...[Array.from({ length: 2000 }, () => "x"), new Uint8Array(2)],
];

/** Each schema of a route with each kind of value that is none of its own, alone and as a field. */
function told(schema: TSchema): Phrase[] {
  const whole = BAD.flatMap((value) => findFaults(schema, value));
  const fields = Object.keys((schema as { readonly properties?: object }).properties ?? {});
  const each = fields.flatMap((name) => BAD.flatMap((value) => findFaults(schema, { [name]: value })));
  return [...whole, ...each].map(({ message }) => message);
}

test("every fault that any route can find is one of ours, with all that it says", () => {
  const messages = new Set(
    (Object.values(ROUTES) as unknown as Route[]).flatMap(({ params, query, body }) =>
      [params, query, body].flatMap((schema) => (schema === undefined ? [] : told(schema).map(english))),
    ),
  );
  expect(messages.size).toBeGreaterThan(15);
  expect([...messages].filter((message) => /Expected|undefined|[A-Z][a-z]+ing\b/.test(message))).toEqual([]);
});

test("a field has one fault, the first", () => {
  const route = ROUTES["POST /batches/:batch/cancel"] as unknown as Route;
  expect(route.body && findFaults(route.body, {})).toEqual([
    { path: "/reason", message: phrase("fault.missing") },
  ]);
  expect(route.body && findFaults(route.body, { reason: "" })).toEqual([
    { path: "/reason", message: phrase("fault.empty") },
  ]);
  expect(route.body && findFaults(route.body, { reason: "x".repeat(501) })).toEqual([
    { path: "/reason", message: phrase("fault.too_long", { most: "500" }) },
  ]);
});

test("each of many wrong fields is told, however many they are", () => {
  const route = ROUTES["PATCH /accounts/:account"] as unknown as Route;
  const wrong = {
    recipients_per_minute: "a",
    recipients_per_day: "a",
    marketing_per_day: "a",
    marketing_per_week: "a",
    text_policy: "x",
    classes: ["OTP", "OTP"],
  };
  const whole = phrase("fault.whole_in", { least: "0", most: "1000000000" });
  expect(route.body && findFaults(route.body, wrong).toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: "/classes", message: phrase("fault.repeated") },
    { path: "/marketing_per_day", message: whole },
    { path: "/marketing_per_week", message: whole },
    { path: "/recipients_per_day", message: whole },
    { path: "/recipients_per_minute", message: whole },
    { path: "/text_policy", message: phrase("fault.one_of", { words: "as_is, rewrite, gsm_only" }) },
  ]);
});
