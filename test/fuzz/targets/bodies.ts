import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { type KnownTemplate, templateMatcher } from "../../../src/channels/whatsapp/match-template.ts";
import {
  extractValues,
  filled,
  findValueFault,
  listPlaceholders,
  normalizeValue,
  type ParameterFormat,
  preparePieces,
} from "../../../src/channels/whatsapp/template-text.ts";
import { compileTemplate } from "../../../src/text/template.ts";
import { changedJson } from "../json-tree.ts";
import { kindOf, textTarget } from "../target.ts";

const WORDS = [
  ...[
    "{nom}",
    "{{nom}}",
    "{1}",
    "{{1}}",
    "{{ nom }}",
    "{a.b}",
    "{é}",
    "{e\u0301}",
    "{",
    "}",
    "{{",
    "}}",
    "{}",
  ],
  ...[" ", "  ", "\n", "\t", "\u00a0", "é", "e\u0301", "\u0301", "😀", "a", "aa", "", "\u0000", "NAMED"],
];

/** An input is JSON: a body, a template's text, whether its parameters have names, and a value for each tag in turn. */
export const bodies = textTarget({
  name: "bodies",
  promise:
    "a body is a template's text where a second reading says so, and what it was filled in with is found again and reads the same",
  words: WORDS,
  draw: ({ pick, below, ascii }) => {
    const places = ["nom", "1", "2", "é"].slice(0, 1 + below(4));
    const fixed = () => pick([pick(WORDS), ascii(6), " "]);
    const parts = Array.from({ length: 1 + below(6) }, () => [fixed(), pick(places)]);
    const body = parts.map(([text = "", place = ""]) => `${text}{${place}}`).join("");
    const same = parts.map(([text = "", place = ""]) => `${text}{{${place}}}`).join("");
    const values = places.map(() =>
      pick([pick(WORDS), ascii(4), "x".repeat(below(1200)), "a ".repeat(below(300)), pick(WORDS).repeat(9)]),
    );
    return JSON.stringify([body, pick([same, same, fixed()]), pick(["NAMED", "POSITIONAL"]), values]);
  },
  change: (text, other, rolls) => changedJson(text, other, rolls, WORDS),
  run: (text) => {
    const { body, ofTemplate, format, values } = readInput(text);
    const { pieces } = compileTemplate(body);
    const kind = matchOf(body, ofTemplate, format);
    const prepared = preparePieces(pieces);
    const places = listPlaceholders(prepared);
    const given = new Map(
      places.map((place, at) => [place, normalizeValue(values[at] ?? "").normalize("NFC")]),
    );
    const valueAt = (place: string): string => given.get(place) ?? "";
    const reason = findValueFault(prepared, valueAt, false);
    if (reason !== null) return `${kind}: ${reason}`;
    const whole = filled(prepared, valueAt);
    const found = extractValues(prepared, whole);
    const repeats = prepared.length > 2 * places.length + 1;
    if (found === null) {
      // Meta approves no parameters that stand side by side.
      const isSideBySide = prepared.slice(1, -1).some((piece, at) => at % 2 === 1 && piece === "");
      ok(repeats && isSideBySide, "what Meta approves is always cut");
      return `${kind}: given up`;
    }
    strictEqual(found.length, places.length);
    const again = new Map(places.map((place, at) => [place, found[at] ?? ""]));
    strictEqual(
      filled(prepared, (place) => again.get(place) ?? ""),
      whole,
      "it reads the same",
    );
    ok(
      found.every((value) => value !== ""),
      "no value is empty",
    );
    return `${kind}: ${repeats ? "repeats" : "once each"}`;
  },
});

function matchOf(body: string, ofTemplate: string, format: ParameterFormat): string {
  const template: KnownTemplate = {
    name: "one",
    language: "fr",
    category: "UTILITY",
    body: ofTemplate,
    format,
    whyNot: null,
    firstSeenMs: 0,
  };
  const wanted = {
    pieces: compileTemplate(body).pieces,
    messageClass: "TRANSACTIONAL",
    named: null,
  } as const;
  const match = templateMatcher([template])(wanted);
  const own = readingOf(body, /\{([\p{L}\p{M}\p{N}_.-]+)\}/gu, format);
  // What looks like a tag in the fixed text is one to whoever writes it into a body.
  const its = readingOf(
    ofTemplate,
    /\{\{\s*([\p{L}\p{M}\p{N}_]+)\s*\}\}|\{([\p{L}\p{M}\p{N}_.-]+)\}/gu,
    format,
  );
  strictEqual(
    match.kind === "template",
    JSON.stringify(own) === JSON.stringify(its),
    "a second reading agrees",
  );
  if (match.kind === "differs") {
    for (const shown of [match.expected, match.found])
      ok(Array.from(shown).length <= 40, "at most 40 characters");
    deepStrictEqual(match.template, template);
  }
  return kindOf(match.kind);
}

/** The same by another way: words and places in turn, a word once for each run between white space. */
function readingOf(text: string, place: RegExp, format: ParameterFormat): readonly unknown[] {
  const signs: unknown[] = [];
  const numbers = new Map<string, number>();
  let from = 0;
  const take = (fixed: string): void => {
    for (const sign of fixed.normalize("NFC").replaceAll("\0", "\uFFFD")) {
      if (!/\s/u.test(sign)) signs.push(sign);
      else if (signs.length > 0 && signs.at(-1) !== " ") signs.push(" ");
    }
  };
  for (const match of text.matchAll(place)) {
    take(text.slice(from, match.index));
    const [whole, ...names] = match;
    const name = names.find((one) => one !== undefined) ?? "";
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    signs.push([format === "NAMED" ? name.normalize("NFC") : numbers.get(name)]);
    from = match.index + whole.length;
  }
  take(text.slice(from));
  if (signs.at(-1) === " ") signs.pop();
  return signs;
}

/** What an input says, whatever it is. */
function readInput(text: string) {
  let json: unknown = text;
  try {
    json = JSON.parse(text);
  } catch {
    // A body as it is.
  }
  const [body, ofTemplate, format, values]: readonly unknown[] = Array.isArray(json) ? json : [text];
  const sound = (value: unknown): string =>
    typeof value === "string" ? value.toWellFormed().slice(0, 4000) : "";
  return {
    body: sound(body),
    ofTemplate: sound(ofTemplate),
    format: format === "NAMED" ? "NAMED" : ("POSITIONAL" as ParameterFormat),
    values: (Array.isArray(values) ? values : []).map(sound),
  };
}
