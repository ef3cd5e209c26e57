/** Whatever is said in English is said in French, in the same terms. */
import { describe, expect, test } from "vitest";
import { areasOf } from "../../scripts/phrases/phrase-types.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { EXAMPLES } from "../../src/cli/help-text.ts";
import { COMMON_FLAGS, parse } from "../../src/cli/parse.ts";
import type { Phrase } from "../../src/i18n/phrase.ts";
import { hasText } from "../../src/i18n/text.ts";
import { smscUsage } from "../../src/simulator/invocation.ts";
import { simUsage } from "../../src/simulator/whatsapp/invocation.ts";

const flags = COMMANDS.flatMap((command) => command.flags).concat(COMMON_FLAGS);
const places = COMMANDS.flatMap(({ positionals }) => positionals);
const capitals = new Set([
  ...places.map(({ name }) => name),
  ...flags.flatMap(({ value, choices }) => (value === null || choices ? [] : [value])),
]);
const heads = new Set(
  COMMANDS.flatMap((command) =>
    command.kind === "own"
      ? []
      : [command.table ?? []]
          .flat()
          .flatMap(({ rows, title = rows, columns }) => [
            title,
            ...columns.flatMap((column) => (hasText(`label.${column}`) ? column : column.split("."))),
          ]),
  ),
);

/** Those of names that an area has no text for. */
const unnamed = (area: string, names: Iterable<string>) =>
  [...names].filter((name) => !hasText(`${area}.${name}`));

/** Terms of the field, and what each is in French: where the one stands, the other does. */
const GLOSSARY: readonly (readonly [english: string, french: string])[] = [
  ["accounts?", "comptes?"],
  ["wallets?", "portefeuilles?"],
  ["balances?", "soldes?"],
  ["senders?", "expéditeurs?"],
  ["operators?", "opérateurs?"],
  ["batch(es)?", "lots?"],
  ["receipts?", "accusés?"],
  ["backups?", "sauvegardes?|backup"],
  ["endpoints?", "webhooks?"],
  ["segments?", "segments?"],
  ["connections?", "connexions?"],
  ["prices?", "prix"],
  ["timezone", "fuseau horaire"],
  ["keys?", "clés?"],
];

/** Lines of the demonstration, which have eight places for their first word: a shorter one stands there. */
const IN_COLUMNS: ReadonlySet<string> = new Set(["simulator.demo.wallet", "simulator.demo.figures"]);

/** Whether these words stand in a text, outside of what it quotes and of names that are the same in every language. */
function holds(text: string, words: string): boolean {
  const quoted = /\{[^}]*\}|"[^"]*"|« [^»]* »|\[[^\]]*\]+|--[\w-]+/g;
  const spoken = text.replaceAll(quoted, "").replaceAll(text.includes(" ") ? /\w+_\w+/g : "_", " ");
  return new RegExp(`(?<!\\p{L})(${words})(?!\\p{L})`, "u").test(spoken);
}

describe("help in French", () => {
  test("has a text for whatever the simulators say of themselves, and no other", () => {
    const said = new Set<string>();
    const note = ({ code }: Phrase) => {
      said.add(code);
      return "";
    };
    for (const usage of [smscUsage, simUsage]) usage(note);
    const texts = Object.keys(areasOf("en").get("simulator_help") ?? {});
    expect([...said].sort()).toEqual(texts.map((key) => `simulator_help.${key}`).sort());
  });

  test("has a line for every command, every word and every flag, and no other", () => {
    const keys = COMMANDS.flatMap(({ name, positionals, flags: own }) => [
      [name],
      ...positionals.map((place) => [`${name} ${place.name}`, place.name]),
      ...own.map((flag) => [`${name} --${flag.name}`, `--${flag.name}`]),
    ]).concat(COMMON_FLAGS.map((flag) => [`--${flag.name}`]));
    const used = keys.map((choices) => choices.find((key) => hasText(`help.${key}`)));
    expect(keys.filter((_, at) => used[at] === undefined)).toEqual([]);
    expect(Object.keys(areasOf("en").get("help") ?? {}).filter((key) => !used.includes(key))).toEqual([]);
  });

  test("has a name for each place, and for each value that is typed", () => {
    expect(unnamed("place", capitals)).toEqual([]);
  });

  test("speaks in the terms of the glossary", () => {
    const french = areasOf("fr");
    const catalogue = [...areasOf("en")].flatMap(([area, entries]) =>
      Object.entries(entries).flatMap(([key, entry]) => {
        const other = french.get(area)?.[key];
        const isPart = area === "label" && key.includes(".");
        // The reference is read by clients' programmers, in the terms of the guide: an endpoint is an address there.
        const isApart = isPart || area === "reference" || IN_COLUMNS.has(`${area}.${key}`);
        if (isApart || typeof entry !== "string" || typeof other !== "string") return [];
        return [[entry, other] as const];
      }),
    );
    const wrong = catalogue.flatMap(([english, french]) =>
      GLOSSARY.filter(([term, ours]) => holds(english, term) && !holds(french, ours)).map(
        ([term]) => `${english} → ${french} (${term})`,
      ),
    );
    expect(wrong).toEqual([]);
  });
});

describe("tables in French", () => {
  test("have a head for every column", () => {
    expect(unnamed("label", heads)).toEqual([]);
  });
});

describe("examples", () => {
  test("are there for every command, and for no other", () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  });

  test("are calls of their command", () => {
    const wrong = Object.entries(EXAMPLES).flatMap(([name, calls]) =>
      calls.filter((call) => {
        const words = [...call.replace(/ > \S+$/, "").matchAll(/"([^"]*)"|(\S+)/g)].map(
          ([, quoted, plain]) => quoted ?? plain ?? "",
        );
        const parsed = parse(words, COMMANDS);
        return !("command" in parsed && parsed.command.name === name);
      }),
    );
    expect(wrong).toEqual([]);
  });
});
