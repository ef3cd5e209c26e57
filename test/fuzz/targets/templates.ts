import { deepStrictEqual, ok, strictEqual } from "node:assert";
import {
  type AttributeValue,
  createBraceTags,
  type RequestRecipient,
  unpackRecipients,
} from "../../../src/domain/submission/recipients.ts";
import { MAX_TEXT_LENGTH, normalizeText } from "../../../src/text/segments.ts";
import { type Attributes, compileTemplate, render } from "../../../src/text/template.ts";
import { packRecipients } from "../../kit/pack-recipients.ts";
import { changedJson } from "../json-tree.ts";
import { kindOf, textTarget } from "../target.ts";

const WORDS = [
  ...[
    "{name}",
    "{",
    "}",
    "{é}",
    "{e\u0301}",
    "{a.b-c_1}",
    "{ }",
    "{}",
    "{a b}",
    "{ name }",
    "{\u00a0a b\n}",
    "{ a b",
    "{{name}}",
    "{name",
    "name",
    "é",
    "e\u0301",
  ],
  ...[
    "toString",
    "__proto__",
    "{__proto__}",
    "{toString}",
    "{hasOwnProperty}",
    "{日本}",
    "{0}",
    "0",
    "$&",
    "{name}".repeat(40),
  ],
];

/** An input is JSON: a body, and what a recipient brings for its tags. */
export const templates = textTarget({
  name: "templates",
  promise:
    "a body is filled in with what its own tags name, alike from a packed recipient, and never beyond any text",
  words: WORDS,
  draw: ({ pick, below, ascii }) => {
    const body = Array.from({ length: 1 + below(5) }, () => pick([pick(WORDS), ascii(8), " "])).join("");
    const names = ["name", "é", "e\u0301", "a.b-c_1", "toString", "0", "a b", " a b", "", "e\u0301 f"].filter(
      () => below(2) === 0,
    );
    const value = () => pick([pick(WORDS), below(1000), true, null, "x".repeat(below(300))]);
    return JSON.stringify([body, Object.fromEntries(names.map((name) => [name, value()]))]);
  },
  change: (text, other, rolls) => changedJson(text, other, rolls, WORDS),
  run: (text) => {
    const [body, attributes] = readInput(text);
    const book = createBraceTags([body]);
    book?.note({ msisdn: "70123456", attributes });
    const template = compileTemplate(body, book?.otherTags() ?? []);
    const rendered = render(template, attributes);
    const expected = filledIn(body, attributes);
    if (rendered === null) ok(expected.length > MAX_TEXT_LENGTH, "only what is too long is not rendered");
    else strictEqual(rendered, normalizeText(expected));
    const recipient: RequestRecipient = { msisdn: "70123456", attributes };
    const [packed] = unpackRecipients(packRecipients([recipient], body)).slice(0, 1);
    strictEqual(render(template, packed?.attributes ?? null), rendered, "packed alike");
    deepStrictEqual(new Set(template.tags).size, template.tags.length);
    const kinds = template.tags.map((tag) => typeof attributes?.[tag]);
    const size = rendered === null ? "too long" : rendered === "" ? "empty" : "a text";
    return `${kindOf([...new Set(kinds)].sort().join(" and ")) || "no tag"}: ${size}`;
  },
});

/** A body and its attributes, from JSON or, where it is none, a body alone. */
function readInput(text: string): readonly [string, Attributes | null] {
  let json: unknown = text;
  try {
    json = JSON.parse(text);
  } catch {
    // A body as it is.
  }
  const [body, attributes]: readonly unknown[] = Array.isArray(json) ? json : [text, null];
  const isObject = typeof attributes === "object" && attributes !== null && !Array.isArray(attributes);
  // What a request may hold: no NUL, no half of a pair, no number that is not exact.
  const sound = (value: unknown): AttributeValue => {
    if (typeof value === "string") return value.toWellFormed().replaceAll("\0", "");
    if (typeof value === "number") return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : 0;
    return typeof value === "boolean" ? value : null;
  };
  const members = Object.entries(isObject ? attributes : {}).map(
    ([name, value]) => [name, sound(value)] as const,
  );
  return [typeof body === "string" ? body.toWellFormed() : "", isObject ? Object.fromEntries(members) : null];
}

/** The same by another way: a walk from brace to brace. */
function filledIn(body: string, attributes: Attributes | null): string {
  const own = new Map(Object.entries(attributes ?? {}));
  const composed = new Map([...own].reverse().map(([name, value]) => [name.normalize("NFC"), value]));
  let text = "";
  for (let at = 0; at < body.length; ) {
    const tag =
      body[at] === "{"
        ? /^\{([^{}\n\r\u2028\u2029]*)\}/u.exec(body.slice(at, body.indexOf("}", at) + 1))
        : null;
    const [whole = "", inner = ""] = tag ?? [];
    const isPlain = /^[\p{L}\p{M}\p{N}_.-]+$/u.test(inner);
    const name = isPlain ? inner : inner.trim();
    const isKnown = name !== "" && [...inner].length <= 64 && composed.has(name.normalize("NFC"));
    if (!tag || !(isPlain || isKnown)) {
      text += body[at];
      at += 1;
      continue;
    }
    const value = own.has(name) ? own.get(name) : composed.get(name.normalize("NFC"));
    text += value === null || value === undefined ? "" : String(value);
    at += whole.length;
  }
  return text;
}
