import { expect, test } from "vitest";
import { escapeControls, escapeLines, printableJson } from "../../src/core/terminal-text.ts";

/** C0 and C1 controls, bidi marks, other format characters, private and unassigned ones, a single surrogate. */
const HOSTILE =
  "a\u0000\u001b[2J\u007f\u009b2J\u200d\u200e\u202e\u2066\ufeff\u00ad\ue000\u0378\ud800\u{e0001}\u{10fffd}b";

test("nothing that could steer a terminal is left of a text, and what people read is", () => {
  const shown = escapeControls(HOSTILE);
  expect(shown).not.toMatch(/\p{C}/u);
  expect(shown).toBe(
    "a\\u0000\\u001b[2J\\u007f\\u009b2J\\u200d\\u200e\\u202e\\u2066\\ufeff\\u00ad\\ue000\\u0378\\ud800\\udb40\\udc01\\udbff\\udffdb",
  );
  expect(escapeControls("Élève n° 7 – 5 000 F, “né” 日本 😀 e\u0301\u00a0!")).toBe(
    "Élève n° 7 – 5 000 F, “né” 日本 😀 e\u0301\u00a0!",
  );
  expect(escapeControls("a\nb\tc\r")).toBe("a\\nb\\tc\\r");
});

test("lines of our own stay lines", () => {
  expect(escapeLines("one\u009b\ntwo\u202e")).toBe("one\\u009b\ntwo\\u202e");
});

test("a JSON text is escaped and means the same", () => {
  const value = { [HOSTILE]: [HOSTILE, 1, null], n: "\\u009b \\" };
  const text = printableJson(value);
  expect(text).not.toMatch(/\p{C}/u);
  expect(JSON.parse(text)).toEqual(value);
});
