import { expect, test } from "vitest";
import { opening } from "../scene.ts";
import { found } from "./found.ts";
import { rateHeaders } from "./rate-headers.ts";

function answered(status: number, headers: Readonly<Record<string, string>>): string {
  const run = opening();
  run.ask({ client: "alpha", path: "/account/balance" }, { status, json: {}, headers });
  return found(run, rateHeaders);
}

const headersOf = (limit: number, remaining: number) => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": "1",
});

test("an answer to a good key has the headers of its limit, and one without them is a finding", () => {
  expect(answered(200, headersOf(50, 49))).toBe("");
  expect(answered(401, { "x-ratelimit-reset": "" })).toBe("");
  expect(answered(200, { "x-ratelimit-reset": "" })).toContain("is missing");
  expect(answered(200, headersOf(50, 51))).toContain("51 of 50 remain");
});

test("a refusal is for a bucket in which nothing remains", () => {
  expect(answered(429, headersOf(50, 0))).toBe("");
  expect(answered(429, headersOf(50, 7))).toContain("7 of 50 remain");
});
