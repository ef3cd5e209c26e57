import { Type as t } from "@sinclair/typebox";
import { Value } from "typebox/value";
import { describe, expect, test } from "vitest";
import { faultList } from "../../src/core/refusals.ts";
import {
  defineShape,
  flag,
  hasShape,
  optional,
  refuseOthers,
  text,
  word,
} from "../../src/core/request-shape.ts";
import { readBatchRequest, SUBMISSION } from "../../src/domain/submission/request.ts";
import { phrase, said } from "../../src/i18n/phrase.ts";
import { english } from "../../src/i18n/text.ts";
import { ENDPOINT, readEndpointRequest } from "../../src/webhooks/endpoint-request.ts";

const TICKET = defineShape({
  title: text(3),
  kind: word(["A", "B"], phrase("fault.either", { one: "A", other: "B" })),
  tags: {
    schema: t.Array(t.String()),
    check: (tags, tell) => {
      for (const [index, tag] of (tags as unknown[]).entries())
        if (tag === "") tell(phrase("fault.empty"), index);
    },
  },
  is_urgent: optional(flag(), { default: false }),
});

function faultsOf(json: Readonly<Record<string, unknown>>): string[] {
  const faults = faultList();
  refuseOthers(TICKET, json, faults, (name) => said(`has no place for ${name}`));
  const fits = hasShape(TICKET, json, faults);
  expect(fits).toBe(faults.found.every(({ message }) => message.code === "said"));
  return faults.found.map(({ path, message }) => `${path} ${english(message)}`);
}

describe("a shape", () => {
  const right = { title: "abc", kind: "A", tags: ["x"] };

  test("is an object's whose fields are right, those that may be left out being left out, null or right", () => {
    for (const is_urgent of [undefined, null, true]) expect(faultsOf({ ...right, is_urgent })).toEqual([]);
    expect(TICKET.schema.required).toEqual(["title", "kind", "tags"]);
  });

  test("is told of every fault in the order of its fields, other fields before", () => {
    expect(faultsOf({ tags: ["x", ""], kind: null, title: "abcd", is_urgent: 0, "a/b": 1 })).toEqual([
      "/a~1b has no place for a/b",
      "/title must have at most 3 characters",
      "/kind must be A or B",
      "/tags/1 must not be empty",
      "/is_urgent must be true or false",
    ]);
    expect(faultsOf({ tags: [] })).toEqual(["/title is required", "/kind is required"]);
  });

  test("is not an object's whose faults found no more room in the list", () => {
    const faults = faultList();
    for (let count = 0; count < 20; count++) faults.add("/x", phrase("fault.blank"));
    expect(hasShape(TICKET, { ...right, title: 1 }, faults)).toBe(false);
  });
});

describe("what the published schema of a request refuses, the reader refuses", () => {
  const odd = [null, 0, 1.5, "", " ", "x", "y".repeat(5000), true, [], [1], ["x"], {}, { a: 1 }];
  const recipient = { msisdn: "70123456" };
  const submission = { sender: "ACME", body: "a", message_class: "OTP", recipients: [recipient] };
  const open = t.Object({
    ...SUBMISSION.schema.properties,
    recipients: t.Array(t.Any(), { minItems: 1, maxItems: 100_000 }),
  });
  const requests = [
    ["a submission", open, submission, SUBMISSION, readBatchRequest],
    ["an endpoint", ENDPOINT.schema, { url: "https://a.example/" }, ENDPOINT, readEndpointRequest],
  ] as const;

  test.each(requests)("of %s", (_what, schema, right, { fields }, read) => {
    const published = JSON.parse(JSON.stringify(schema));
    expect([Value.Check(published, right), read(right).ok]).toEqual([true, true]);
    for (const name of Object.keys(fields)) {
      for (const value of odd) {
        const json = { ...right, [name]: value };
        if (!Value.Check(published, json)) expect([name, value, read(json).ok]).toEqual([name, value, false]);
      }
    }
  });
});
