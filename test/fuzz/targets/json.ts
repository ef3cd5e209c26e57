import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { jsonChunks } from "../../../src/core/json-chunks.ts";
import { jsonDigest } from "../../../src/domain/submission/packed-submission.ts";
import { readBatchRequest } from "../../../src/domain/submission/request.ts";
import { english } from "../../../src/i18n/text.ts";
import { readSubmission } from "../../../src/ingress/api/submission-reader.ts";
import { MAX_NESTING, parseJson } from "../../../src/ingress/http/json.ts";
import { readEndpointRequest } from "../../../src/webhooks/endpoint-request.ts";
import type { Dice } from "../dice.ts";
import { changedJson } from "../json-tree.ts";
import { kindOf, octetsOf, type Target, textOf } from "../target.ts";

const WORDS = [
  ...[
    "sender",
    "body",
    "message_class",
    "channel",
    "recipients",
    "scheduled_at",
    "timezone",
    "is_test",
    "msisdn",
  ],
  ...[
    "attributes",
    "url",
    "events",
    "description",
    "TRANSACTIONAL",
    "OTP",
    "SMS",
    "ACME",
    "70123456",
    "https://shop.example/",
  ],
  ...["Africa/Ouagadougou", "2026-03-03T09:00:00Z", "BATCH_SETTLED", "__proto__", "recipient", "recipents"],
  ...[
    "null",
    "true",
    "1e999",
    "-0",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    '\\"',
    "\\ud800",
    "\\u0000",
    "[".repeat(33),
    "\ufeff",
  ],
];
const CODES = ["VALIDATION_FAILED", "BATCH_EMPTY", "BATCH_BODY_EMPTY"];

export const json: Target = {
  name: "json",
  promise:
    "a body is what JSON.parse makes of it or refused, its faults point into it, and equal values have equal digests",
  form: "text",
  words: WORDS,
  longest: 4096,
  isPumped: true,
  draw: (rolls) => octetsOf(JSON.stringify(rolls.below(4) === 0 ? endpoint(rolls) : submission(rolls))),
  change: (input, other, rolls) => {
    const changed = changedJson(textOf(input), textOf(other), rolls, WORDS);
    return changed === null ? null : octetsOf(changed);
  },
  open: () => ({ run, close: () => {} }),
};

function run(input: Uint8Array): string {
  const parsed = parseJson(input);
  const own = ownReading(input);
  if (!parsed.ok) {
    ok(own === null || depthOf(own.value) > MAX_NESTING, "what JSON.parse takes is only refused as too deep");
    return kindOf(english(parsed.refusal.detail));
  }
  ok(own, "what is read, JSON.parse reads");
  deepStrictEqual(parsed.value, own.value);
  strictEqual([...jsonChunks(parsed.value)].join(""), JSON.stringify(parsed.value));
  digestIsOfTheValue(parsed.value);
  const submission = readSubmission(input);
  ok(submission.ok);
  return `${outcomeOf(submission.value.request, parsed.value, readBatchRequest)} / ${outcomeOf(readEndpointRequest(parsed.value), parsed.value, readEndpointRequest)}`;
}

/** What the runtime reads of a body; null when it is no JSON in UTF-8. */
function ownReading(input: Uint8Array): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(input)) };
  } catch {
    return null;
  }
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function digestIsOfTheValue(value: unknown): void {
  const digest = Buffer.from(jsonDigest(value)).toString("hex");
  strictEqual(Buffer.from(jsonDigest(turned(value))).toString("hex"), digest, "whatever the order of names");
  const other = Buffer.from(jsonDigest([value])).toString("hex");
  ok(other !== digest, "another value has another digest");
}

/** The same value with the names of every object in the other order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([name, member]) => [name, turned(member)]));
}

type Outcome = ReturnType<typeof readBatchRequest> | ReturnType<typeof readEndpointRequest>;

function outcomeOf(outcome: Outcome, value: unknown, read: (json: unknown) => Outcome): string {
  if (outcome.ok) {
    deepStrictEqual(plain(read(JSON.parse(JSON.stringify(value)))), plain(outcome), "taken again as it was");
    return "taken";
  }
  const { code, detail, faults = [] } = outcome.refusal;
  ok(CODES.includes(code), code);
  const told = english(detail);
  ok(told.length > 0 && told.length < 400_000 && faults.length <= 20);
  for (const { path, message } of faults) pointsInto(value, path, english(message));
  const [first] = faults;
  if (!first) return code;
  const isOther = /^fault\.unknown/.test(first.message.code);
  const place = first.path.split("/").filter((step) => /^[a-z_]+$/.test(step));
  return isOther
    ? "another field"
    : kindOf(`${place.slice(0, 2).join("/")} ${english(first.message)}`).slice(0, 48);
}

/** The place of a fault is there, or is missing from something that is. */
function pointsInto(value: unknown, path: string, message: string): void {
  ok(path === "" || path.startsWith("/"), path);
  const steps = path
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  let at: unknown = value;
  for (const [index, step] of steps.entries()) {
    ok(typeof at === "object" && at !== null, `${path} leads nowhere`);
    const isLast = index === steps.length - 1;
    const names = Object.keys(at);
    // A name that a client made up is cut to 64 characters.
    const name = names.includes(step) ? step : names.find((known) => known.slice(0, 64) === step);
    if (name === undefined) {
      ok(isLast && /is required|must/.test(message), `${path} ${message}`);
      return;
    }
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
}

/** An outcome without what cannot be compared. */
function plain(outcome: Outcome): unknown {
  return JSON.parse(JSON.stringify(outcome));
}

function submission({ below, pick, ascii }: Dice): unknown {
  const recipients = Array.from({ length: below(8) === 0 ? 40 : below(4) }, () => ({
    msisdn: pick(["70123456", "+22670123456", "", "x".repeat(33)]),
    ...(below(2) === 0 && { attributes: { [pick(["name", "é", ascii(5)])]: pick([1, "Awa", null, true]) } }),
  }));
  return {
    sender: pick(["ACME", " ", "x".repeat(33)]),
    body: pick(["Bonjour {name}", " ", "x".repeat(4001), "😀"]),
    message_class: pick(["TRANSACTIONAL", "OTP", "MARKETING", "NEWS"]),
    recipients,
    ...(below(3) === 0 && {
      scheduled_at: pick(["2026-03-03T09:00", null, ascii(9)]),
      timezone: pick(["UTC", null]),
    }),
    ...(below(3) === 0 && { is_test: pick([true, null, 1]), channel: pick(["SMS", "FAX"]) }),
    ...(below(8) === 0 && { [pick(["recipient", "__proto__", ascii(70)])]: 1 }),
  };
}

function endpoint({ below, pick, ascii }: Dice): unknown {
  return {
    url: pick(["https://shop.example/hooks", "http://shop.example", "https://a:b@c/", ascii(20), 7]),
    ...(below(2) === 0 && { events: pick([[], ["BATCH_SETTLED"], ["NOTHING"], "BATCH_SETTLED"]) }),
    ...(below(2) === 0 && { description: pick(["", ascii(20), "x".repeat(256), null]) }),
  };
}
