/** Every command, asked for its help and called with what does not fit, leaves no English on a French terminal. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CliCommand, COMMANDS } from "../../src/cli/commands.ts";
import { type CliFixture, cliFixture } from "./fixture.ts";

let fixture: CliFixture;
beforeAll(async () => {
  fixture = cliFixture();
  await fixture.run("account", "create", "--name", "Faso", "--billing", "prepaid", "--short-name", "faso");
  await fixture.run("sender", "request", "faso", "SHOP");
});
afterAll(() => fixture.close());

/** Words of English that are none of French, nor of the commands. */
const ENGLISH =
  /(?<![\p{L}/_.-])(the|of|is|are|not|cannot|with|which|this|that|there|must|from|and|or|by|to|it)(?![\p{L}_-])/u;

/** Lines with English in what is ours: outside of quotations, and of words that are typed. */
function englishIn(text: string): string[] {
  const lines = text.replaceAll("\u00a0", " ").split("\n");
  return lines.filter((line) => {
    const ours = line
      .replaceAll(/"[^"]*"|« [^»]* »|\([^)]*\)|--[\w-]+(?: [A-Z]+)?|\b[A-Z_]{2,}\b|\/\S+/g, "")
      .replace(/^ {2}bendre .*$/, "")
      // A line of a configuration: its key is typed.
      .replace(/^#[\w.]+ = /, "");
    return ENGLISH.test(ours);
  });
}

/** Those that run on, print a file for another program, or change the machine. */
const FILES = /^(serve|demo|smsc|whatsapp-sim|install|licences|completion|metrics|doctor)/;
const called = COMMANDS.filter(({ name }) => !FILES.test(name));

/** Words that make a whole call of it, each value as wrong as can be typed. */
function wrongCall({ name, positionals, flags }: CliCommand, value: string): string[] {
  const places = positionals.filter(({ isOptional }) => !isOptional).map(() => value);
  const needed = flags.filter(({ isRequired }) => isRequired);
  return [
    ...name.split(" "),
    ...places,
    ...needed.flatMap(({ name: flag, choices }) => [`--${flag}`, choices?.[0] ?? value]),
  ];
}

test.each(COMMANDS.map((command) => [command.name]))("help of %s", async (name) => {
  const { out } = await fixture.runIn({ LANG: "fr_FR.UTF-8" }, ...name.split(" "), "--help");
  expect(englishIn(out)).toEqual([]);
});

test.each(called.map((command) => [command.name, command] as const))(
  "%s, called wrongly",
  async (_, command) => {
    const calls = [
      wrongCall(command, "nobody"),
      wrongCall(command, "faso"),
      [...command.name.split(" ")],
      [...wrongCall(command, "faso"), "--nonsense"],
      ...command.flags
        .filter(
          ({ value, choices, excludes, replaces }) => value !== null && !choices && !excludes && !replaces,
        )
        .map(({ name, isRequired }) => [
          ...wrongCall(command, "faso"),
          ...(isRequired ? [] : [`--${name}`, "?"]),
        ]),
    ];
    for (const call of calls) {
      const { out, err } = await fixture.runIn({ LANG: "fr_FR.UTF-8" }, ...call);
      expect([call.join(" "), englishIn(out + err)]).toEqual([call.join(" "), []]);
    }
  },
);
