import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { runCli } from "../../../src/cli/cli.ts";
import { type CliCommand, COMMANDS } from "../../../src/cli/commands.ts";
import { type Parsed, parse } from "../../../src/cli/parse.ts";
import { english } from "../../../src/i18n/text.ts";
import { FLAGS } from "../../../src/simulator/flags.ts";
import { parseSmscInvocation } from "../../../src/simulator/invocation.ts";
import type { Dice } from "../dice.ts";
import { textTarget } from "../target.ts";

const NAMES = COMMANDS.map(({ name }) => name);
const GIVEN = [
  "--help",
  "-h",
  "--version",
  "-V",
  "help",
  "--json",
  "--config",
  "--",
  "-",
  "-5",
  "--config=x",
  "--x=",
];
const TYPED = [
  ...[
    "01JXYZ",
    "70123456",
    "1 000",
    "--reason",
    "a b",
    "",
    "é",
    "OTP",
    "all",
    "--class=OTP",
    "--class",
    "--limit=x",
  ],
  ...COMMANDS.flatMap(({ flags }) => flags.map(({ name }) => `--${name}`)),
  ...FLAGS.map(({ name, value }) => (value === null ? `--${name}` : `--${name}=5`)),
];

/** An input is what was typed behind `bendre`, a word a line. */
export const words = textTarget({
  name: "words",
  promise:
    "a command line is one command with what it takes, or exits 2 with its usage and one line that says what is wrong",
  words: [...NAMES.map((name) => name.replace(" ", "\n")), ...GIVEN, ...TYPED, "\r", "\n", "\n\n", "="],
  draw: drawn,
  change: changedWords,
  longest: 200,
  isPumped: false,
  run: async (text) => {
    const typed = text.split("\n");
    const parsed = parse(typed, COMMANDS);
    const { kind } = parsed;
    if (kind === "run") {
      const again = parse(retyped(parsed), COMMANDS);
      ok(again.kind === "run" && again.command === parsed.command, "typed anew it is the same");
      for (const [name, value] of Object.entries(parsed.args)) {
        ok(
          value === "" || typed.some((word) => word === value || word.endsWith(`-${name}=${value}`)),
          "as typed",
        );
      }
      deepStrictEqual([again.args, again.common], [parsed.args, parsed.common]);
      const places = parsed.command.positionals.filter(({ name }) => parsed.args[name] !== undefined).length;
      const given = Object.keys(parsed.args).length > places ? "flags" : "no flags";
      return `${parsed.command.kind} ${places} ${given}${parsed.common.json ? " as JSON" : ""}`;
    }
    if (kind === "pass") {
      const invocation = parseSmscInvocation(parsed.words);
      if (invocation.kind === "wrong") ok(english(invocation.problem).length > 0);
      return `smsc ${invocation.kind === "wrong" ? invocation.problem.code : invocation.kind}`;
    }
    let out = "";
    let err = "";
    const code = await runCli(typed, {
      out: (words) => {
        out += words;
      },
      err: (words) => {
        err += words;
      },
      columns: text.length % 8 === 0 ? 80 : undefined,
      env: {},
    });
    strictEqual(code, kind === "wrong" ? 2 : 0);
    if (kind === "wrong") {
      strictEqual(out, "");
      ok(/^usage\s?: bendre /.test(err), "with its usage, in the language that was asked for");
      const [last = ""] = err
        .trimEnd()
        .split(/\nbendre\s?: /)
        .slice(-1);
      ok(!/[\n\r]/.test(last) || /[\n\r]/.test(text), "one line says what is wrong");
    } else strictEqual(err, "");
    ok(!/\n\s+at .*:\d+/.test(out + err), "no stack is shown");
    return kind === "wrong" ? `wrong: ${parsed.problem.code}` : kind;
  },
});

/** What was understood, typed with every value behind its flag and the places at the end. */
function retyped({ command, args, common }: Extract<Parsed<CliCommand>, { kind: "run" }>): string[] {
  const flags = command.flags.flatMap(({ name, value }) =>
    args[name] === undefined ? [] : [value === null ? `--${name}` : `--${name}=${args[name]}`],
  );
  const places = command.positionals.flatMap(({ name }) => (args[name] === undefined ? [] : [args[name]]));
  return [
    ...[...command.name.split(" "), ...flags],
    ...[...(common.json ? ["--json"] : []), ...(common.config === null ? [] : [`--config=${common.config}`])],
    ...["--", ...places],
  ];
}

/** A command with most of what it takes. */
function drawn({ below, pick, ascii }: Dice): string {
  const { name, positionals, flags } = pick(COMMANDS);
  const words = name.split(" ");
  for (const _ of positionals) words.push(pick([pick(TYPED), ascii(6)]).replaceAll("\n", " "));
  for (const flag of flags) {
    if (!flag.isRequired && below(3) > 0) continue;
    const value = pick([...(flag.choices ?? []), "5", "2026-03-02", "x y"]);
    words.push(
      ...(flag.value === null
        ? [`--${flag.name}`]
        : pick([[`--${flag.name}`, value], [`--${flag.name}=${value}`]])),
    );
  }
  if (below(4) === 0) words.push(pick(GIVEN));
  return words.join("\n");
}

function changedWords(text: string, other: string, { below, pick }: Dice): string {
  const typed = text.split("\n");
  const at = below(typed.length + 1);
  const word = pick([pick(TYPED), pick(GIVEN), pick(other.split("\n")), ...pick(NAMES).split(" ")]);
  if (below(3) === 0) typed.splice(at, 1);
  else if (below(2) === 0) typed.splice(at, 0, word);
  else typed[at] = word;
  return typed.join("\n");
}
