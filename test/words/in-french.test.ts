/** Sentences that are made in English where something is known have their French, whatever they are about. */
import { describe, expect, test } from "vitest";
import { areasOf } from "../../scripts/phrases/phrase-types.ts";
import { expectation, found, type Shape, valueShape } from "../../src/config/expectation.ts";
import { faultLine } from "../../src/config/fault.ts";
import { ConfigSchema } from "../../src/config/schema.ts";
import { MESSAGE_ERRORS } from "../../src/messages/message-error.ts";
import { STATUS, statusMeaning, statusText } from "../../src/smpp/status.ts";
import { SENTENCES_OF_REHEARSALS } from "../../src/words/french-rehearsals.ts";
import { SENTENCES_IN_FRENCH } from "../../src/words/french-sentences.ts";
import { inFrench, linesInFrench } from "../../src/words/in-french.ts";
import { renderingBy } from "../../src/words/sentences.ts";
import { filesBelow, textOf } from "../tidy/source.ts";

const missing = (sentences: Iterable<string>) => [...sentences].filter((text) => inFrench(text) === null);

/** Texts of a program that stand behind such words, `"x1"` in place of their values. */
function textsBehind(words: string, ...files: string[]): string[] {
  const call = new RegExp(
    `${words}\\s*((?:(?:\`[^\`]*\`|"(?:[^"\\\\]|\\\\.)*"|'[^']*')(?:\\s*\\+\\s*)?)+)`,
    "g",
  );
  const piece = /`([^`]*)`|"((?:[^"\\]|\\.)*)"|'([^']*)'/g;
  return files
    .flatMap((file) => [...textOf(file).matchAll(call)])
    .map(([, written = ""]) => [...written.matchAll(piece)].map(([, a, b, c]) => a ?? b ?? c ?? "").join(""))
    .map((text) => text.replaceAll(/(?<!\\)\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '"x1"').replaceAll("\\$", "$"))
    .filter((text) => /\p{L}{2}/u.test(text.replaceAll('"x1"', "")));
}

const files = (room: string) => filesBelow(room).filter((file) => file.endsWith(".ts"));

/** Said by the parser of the runtime, and not by programs of ours. */
const OF_THE_RUNTIME = [
  ...["{}; values must be on the same line", "Missing value after '='", "Unterminated string"],
  ...["Cannot redefine key '{}'", "Cannot redefine table '{}'", "Strings must be quoted: {}"],
  "Leading zeros are not allowed in numbers",
  "Unterminated string; newlines must be escaped in basic strings",
  "Unterminated string; literal strings cannot contain newlines",
  ...[
    "Expected '=' after a key but found {}",
    "Expected a key but found {}",
    "Expected a value but found {}",
  ],
];
/** Not said any more, and kept by batches of earlier versions as the cause of a row. */
const KEPT_BY_BATCHES = ["the spreadsheet wrote {}", "scientific notation of Excel"];
/** Put together of words that do not stand beside each other in a program. */
const PUT_TOGETHER = ["late refusal"];

test("nothing is said in French that programs no longer say", () => {
  const programs = files("src").filter((file) => !/^src\/(words|cli\/words\/french)/.test(file));
  const code = programs
    .map(textOf)
    .join("\n")
    .replaceAll(/(["'`])\s*\+\s*(["'`])/g, "")
    .replaceAll(/\\(["'`$])/g, "$1");
  /** Pieces of a sentence that stand together wherever it is made. */
  const piecesOf = (sentence: string) =>
    sentence
      .split(/\{\}|[:;(),"']|\bof\b|\bby\b/)
      .map((piece) => piece.trim())
      .filter((piece) => /\p{L}{3}/u.test(piece) && piece.length > 9);
  const sentences = [...Object.keys(SENTENCES_IN_FRENCH), ...Object.keys(SENTENCES_OF_REHEARSALS)];
  const gone = sentences.filter((sentence) => !piecesOf(sentence).every((piece) => code.includes(piece)));
  const isPutTogether = (sentence: string) =>
    [...PUT_TOGETHER, ...KEPT_BY_BATCHES].some((begin) => sentence.startsWith(begin));
  expect(gone.filter((sentence) => !OF_THE_RUNTIME.includes(sentence) && !isPutTogether(sentence))).toEqual(
    [],
  );
  const values = Object.values(areasOf("en").get("value") ?? {});
  expect(values.filter((word) => !code.includes(`"${word}"`))).toEqual([]);
});

describe("a fault of the configuration", () => {
  const shapes: Shape[] = [];
  const walk = (shape: Shape): void => {
    shapes.push(shape);
    const inside = [...Object.values(shape.properties ?? {}), valueShape(shape), shape.items];
    for (const one of inside) if (one) walk(one);
  };
  walk(ConfigSchema);

  test("says in French what every setting takes, and what may stand there instead", () => {
    expect(shapes.length).toBeGreaterThan(100);
    expect(missing(new Set(shapes.map(expectation)))).toEqual([]);
    const wrong = [undefined, [], ["x"], {}, { x: 1 }].map((value) => found(value, { type: "string" }));
    const hidden = ["x", 5, true].map((value) => found(value, { type: "string", secret: true }));
    expect(missing([...wrong, ...hidden])).toEqual([]);
  });

  test("says in French what keys together, files and their certificates are", () => {
    const written = [
      ...textsBehind("(?:found|expected|least)(?:: string)?(?:\\s*=|:)", ...files("src/config")),
      ...textsBehind('const why = code === "ENOENT" \\?', "src/config/load-config.ts"),
    ];
    expect(written.length).toBeGreaterThan(25);
    // What stands in the file, and a path with the system's word for what went wrong, is the same in every language.
    expect(missing(written).filter((text) => text.replaceAll(/"[^"]*"/g, "").trim().length > 3)).toEqual([]);
  });

  test("is a line each, in French, under the same file, line and key", () => {
    const fault = {
      key: "operators.orange.price",
      found: '"15 F"',
      expected: "a whole number from 0 to 100",
    };
    const english = [faultLine("c.toml", fault, 7), faultLine("c.toml", { ...fault, found: "nothing" })];
    expect(linesInFrench(english.join("\n"))?.replaceAll("\u00a0", " ")).toBe(
      'c.toml:7: operators.orange.price : trouvé "15 F", attendu un nombre entier de 0 à 100\n' +
        "c.toml: operators.orange.price : trouvé rien, attendu un nombre entier de 0 à 100",
    );
  });
});

test("why a file is no TOML is said in French, with the key and both its lines", () => {
  const french = (cause: string) =>
    inFrench(`c.toml:3:1: not valid TOML: ${cause}`)?.replaceAll("\u00a0", " ");
  expect(french("operators.orange.host is defined twice, on line 2 and on line 3")).toBe(
    "c.toml:3:1 : TOML incorrect : operators.orange.host est défini deux fois, ligne 2 et ligne 3",
  );
  const causes = [
    "Unterminated string",
    "Invalid escape sequence: 'q'",
    "Strings must be quoted",
    "Expected a key",
  ];
  for (const cause of causes) expect(french(cause)).not.toContain(cause);
});

test("what every answer of an operator means is said in French, with its code", () => {
  const statuses = [...Object.values(STATUS), 0x400];
  expect(
    missing(statuses.filter((status) => status !== 0).map((status) => statusMeaning(status).words)),
  ).toEqual([]);
  expect(inFrench(`${statusText(STATUS.RINVSRCADR)}; refused for good`)?.replaceAll("\u00a0", " ")).toBe(
    "0x0A RINVSRCADR : l'expéditeur n'est pas accepté, sans doute pas enregistré chez cet opérateur ; refusé pour de bon",
  );
});

test("why a directory, a database or a backup cannot be used is said in French", () => {
  const written = [
    ...textsBehind('new StoreError\\(\\s*"\\w+",', ...files("src/upkeep/backup")),
    ...textsBehind("why(?::| \\?\\?)", "src/store/copy.ts", ...files("src/upkeep/backup")),
    ...textsBehind("return", "src/upkeep/backup/backup-work.ts"),
    ...textsBehind("\\breturn", "src/store/copy.ts"),
  ];
  expect(missing(written)).toEqual([]);
});

test("why a message did not arrive is said in French, of every code", () => {
  const said = Object.values(MESSAGE_ERRORS).map(({ detail }) => detail);
  expect(said.filter((detail) => renderingBy(SENTENCES_IN_FRENCH)(detail) === null)).toEqual([]);
});
