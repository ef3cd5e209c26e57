import { expect, test } from "vitest";
import { parseVariables } from "../../src/config/environment.ts";

/** Each as systemd.exec(5) says. */
const FILES: readonly (readonly [text: string, variables: Readonly<Record<string, string>>])[] = [
  ["ORANGE=secret", { ORANGE: "secret" }],
  ["# ORANGE=no\n; MOOV=no\n\n  TELECEL=yes\n", { TELECEL: "yes" }],
  ["ORANGE = two words  \nMOOV=", { ORANGE: "two words", MOOV: "" }],
  ["ORANGE=first\nORANGE=last", { ORANGE: "last" }],
  ["ORANGE=\" kept # ; ' \"\nMOOV=' $x \" '", { ORANGE: " kept # ; ' ", MOOV: ' $x " ' }],
  ['ORANGE="a\\"b\\$c\\\\d\\ne"', { ORANGE: 'a"b$c\\d\\ne' }],
  ["ORANGE=a\\ b\\\\c\\'d", { ORANGE: "a b\\c'd" }],
  ["ORANGE=one\\\n two\nMOOV=x", { ORANGE: "one two", MOOV: "x" }],
  ['ORANGE="one\ntwo"\r\nMOOV=x\r\n', { ORANGE: "one\ntwo", MOOV: "x" }],
  ["ORANGE=a#b;c", { ORANGE: "a#b;c" }],
  ["ORANGE=a=b==", { ORANGE: "a=b==" }],
  ["export ORANGE=x\n1A=x\nno assignment\nMOOV=y", { MOOV: "y" }],
  ["ORANGE='a'\"b\"c", { ORANGE: "abc" }],
  ["", {}],
];

test.each(FILES)("%j holds what systemd finds in it", (text, variables) => {
  expect(Object.fromEntries(parseVariables(text))).toEqual(variables);
});
