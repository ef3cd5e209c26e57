import { describe, expect, test } from "vitest";
import { jsonDigest } from "../../../src/domain/submission/packed-submission.ts";

describe("the digest of a JSON value", () => {
  const digest = (text: string) => Buffer.from(jsonDigest(JSON.parse(text))).toString("hex");

  // Keeps: behaviour 3.41
  test.each([
    ['{"a":1,"b":2}', ' { "b" : 2, "a" : 1 }'],
    ["1", "1.0"],
    ["0", "-0"],
    ["100", "1e2"],
    ['"é"', '"\\u00e9"'],
    ['{"a":{"c":1,"b":[{"y":1,"x":2}]}}', '{"a":{"b":[{"x":2,"y":1}],"c":1}}'],
  ])("of %s is that of %s", (one, other) => {
    expect(digest(one)).toBe(digest(other));
  });

  const different = [
    "null",
    "0",
    '"0"',
    "true",
    '"true"',
    "[]",
    "{}",
    "[0]",
    "[[0]]",
    "[0,0]",
    '[""]',
    '["",""]',
    '[","]',
    '{"a":[]}',
    '{"a":{}}',
    '{"a":1,"b":2}',
    '{"a":2,"b":1}',
    '{"a":"1,b:2"}',
    '{"a":[1],"b":[2]}',
    '{"a":[1,2]}',
    "1e999",
    '"\\ud800"',
  ];

  // Keeps: behaviour 3.41
  test("differs wherever values differ", () => {
    expect(new Set(different.map(digest)).size).toBe(different.length);
  });
});
