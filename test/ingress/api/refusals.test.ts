import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Outcome } from "../../../src/core/refusals.ts";
import { readBatchRequest } from "../../../src/domain/submission/request.ts";
import { english } from "../../../src/i18n/text.ts";
import { readFeedQuery } from "../../../src/ingress/api/request-parsers.ts";
import { readEndpointRequest } from "../../../src/webhooks/endpoint-request.ts";

const BATCH = { sender: "ACME", body: "Bonjour", message_class: "OTP", recipients: [{ msisdn: "70123456" }] };
const ENDPOINT = { url: "https://a.example/" };

const READERS: Readonly<Record<string, (what: string) => Outcome<unknown, string>>> = {
  batch: (what) => readBatchRequest(requestOf(BATCH, what)),
  endpoint: (what) => readEndpointRequest(requestOf(ENDPOINT, what)),
  feed: (what) => readFeedQuery(new URLSearchParams(what === "without anything" ? "" : what), 0),
};

/** `{…}` is the request itself, `with {…}` a right one with these changes, `without name` a right one that lacks a field. */
function requestOf(right: Readonly<Record<string, unknown>>, what: string): unknown {
  const [, without] = /^without (\w+)$/.exec(what) ?? [];
  if (without !== undefined) {
    return Object.fromEntries(Object.entries(right).filter(([name]) => name !== without));
  }
  return what.startsWith("with ") ? { ...right, ...JSON.parse(what.slice(5)) } : JSON.parse(what);
}

/** Clients match these words: one that changes on purpose changes in refusals.txt. */
const CASES = readFileSync(join(import.meta.dir, "refusals.txt"), "utf8")
  .trim()
  .split("\n\n")
  .map((written) => [written.split("\n")[0] ?? "", written] as const);

test.each(CASES)("%s", (request, written) => {
  const [kind = "", what = ""] = request.split(/ (.*)/s);
  const outcome = READERS[kind]?.(what);
  if (!outcome || outcome.ok) throw new Error("the request was not refused");
  const { code, detail, faults = [] } = outcome.refusal;
  const words = [
    `${code}: ${english(detail)}`,
    ...faults.map(({ path, message }) => `${path} ${english(message)}`),
  ];
  expect([request, ...words.map((line) => `  ${line}`)].join("\n")).toBe(written);
});
