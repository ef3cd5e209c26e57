/** Reads the command line of `bendre smsc`, and writes its help. */
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import { DEFAULTS, FLAG_GROUPS, FLAGS, type SmscSettings } from "./flags.ts";
import { MAGIC_NUMBERS } from "./outcome.ts";
import { CONTROL_COMMANDS } from "./typed-commands.ts";
import { flagRow, readSettings, renderHelp, type Say, type SimulatorInvocation } from "./usage.ts";

type SmscInvocation = SimulatorInvocation<SmscSettings>;

/** Reads the words behind `bendre smsc`: `--flag value`, `--flag=value`, `--switch`. */
export function parseSmscInvocation(words: readonly string[]): SmscInvocation {
  const read = readSettings(words, FLAGS, DEFAULTS);
  const problem = read.kind === "run" ? contradictionOf(read.settings) : null;
  return problem === null ? read : { kind: "wrong", problem };
}

/** What is wrong with flags that exclude or require each other; null: nothing. */
function contradictionOf({ quirks, tlsKey, tlsCertificate }: SmscSettings): Phrase | null {
  if (quirks.noTlvs && quirks.noReceiptText) {
    return phrase("simulator.flag.no_receipt");
  }
  if ((tlsKey === null) !== (tlsCertificate === null)) {
    return phrase("simulator.flag.tls_pair");
  }
  return null;
}

/** What `bendre smsc --help` prints. */
export function smscUsage(say: Say = english): string {
  const outcomes = [...MAGIC_NUMBERS.keys()].map(
    (ending) => [`…${ending}`, say(renderHelp("smsc", ending))] as const,
  );
  const commands = [...CONTROL_COMMANDS].map(
    ([name, { words }]) => [`${name} ${words}`.trimEnd(), say(renderHelp("smsc", name))] as const,
  );
  return [
    say(phrase("simulator_help.smsc")),
    "",
    say(phrase("simulator_help.smsc.usage")),
    "",
    say(phrase("simulator_help.smsc.about")),
    "",
    ...FLAG_GROUPS.flatMap(({ title, flags }) => [
      say(title),
      "",
      ...columns(flags.map((flag) => flagRow("smsc", flag, say))),
      "",
    ]),
    say(phrase("simulator_help.smsc.outcomes")),
    "",
    ...columns(outcomes),
    "",
    say(phrase("simulator_help.typed")),
    "",
    ...columns(commands),
    "",
    say(phrase("simulator_help.smsc.end")),
    "",
  ].join("\n");
}

/** Two columns; a left text too wide for its column has a line of its own. */
function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const WIDTH = 30;
  return rows.flatMap(([left, right]) =>
    left.length < WIDTH
      ? [`  ${left.padEnd(WIDTH)}${right}`]
      : [`  ${left}`, `  ${" ".repeat(WIDTH)}${right}`],
  );
}
