/** The filter by error: a few words for each, in groups, and the sentence as help. */
import { expect, test } from "vitest";
import { errorOptions } from "../../src/console/ui/words/error-options.ts";
import { errorPhrase, MESSAGE_ERRORS } from "../../src/domain/messages/message-status.ts";
import type { ErrorsWords } from "../../src/i18n/words.gen.d.ts";
import { wordsIn } from "../kit/page-words.ts";
import { inEnglish } from "./english-words.ts";

const ERRORS_EN = Object.values(wordsIn<ErrorsWords>("en", "errors"));
const ERRORS_FR = Object.values(wordsIn<ErrorsWords>("fr", "errors"));

const LONGEST = 40;
const told = Object.keys(MESSAGE_ERRORS).map((code) => ({ code, detail: inEnglish(errorPhrase(code)) }));

test.each([
  ["English", ERRORS_EN],
  ["French", ERRORS_FR],
])("every error has a short name in a group in %s, and its sentence as help", (_, groups) => {
  const options = errorOptions(told, groups);
  expect(options.map(({ value }) => value).toSorted()).toEqual(Object.keys(MESSAGE_ERRORS).toSorted());
  for (const option of options) {
    expect(option).toMatchObject({ group: expect.any(String), help: expect.stringMatching(/\.$/) });
    expect(option.label.length).toBeLessThan(LONGEST);
  }
  expect(new Set(options.map(({ label }) => label)).size).toBe(options.length);
});

test("what is not told of is no choice, and what has no name yet stands last under its sentence", () => {
  const some = [
    { code: "NEW_ERROR", detail: "Something new." },
    { code: "CANCELLED", detail: "The batch was cancelled." },
  ];
  expect(errorOptions(some, ERRORS_EN).map(({ label }) => label)).toEqual([
    "Batch cancelled",
    "Something new.",
  ]);
});
