import { readFlags } from "../core/flags.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import type { SmscFlag } from "./flags.ts";
import { DEFAULTS, FLAG_GROUPS, FLAGS, type SmscSettings } from "./flags.ts";
import { MAGIC_NUMBERS } from "./outcome.ts";
import { CONTROL_COMMANDS } from "./typed-commands.ts";
import { flagRow, renderHelp, type Say } from "./usage.ts";

export type SmscInvocation =
  | { readonly kind: "run"; readonly settings: SmscSettings }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly problem: Phrase };

const HELP: SmscFlag = { name: "help", value: null, read: (settings) => settings };

/** Reads the words behind `bendre smsc`: `--flag value`, `--flag=value`, `--switch`. */
export function parseSmscInvocation(words: readonly string[]): SmscInvocation {
  const read = readFlags(words, [...FLAGS, HELP]);
  if (read.kind === "wrong") {
    const { name, isKnown } = read;
    const problem = isKnown
      ? phrase("simulator.flag.no_value", { flag: name })
      : phrase("simulator.flag.unknown", { flag: `--${name}` });
    return { kind: "wrong", problem };
  }
  const [place] = read.places;
  if (place !== undefined)
    return { kind: "wrong", problem: phrase("simulator.flag.unknown", { flag: place }) };
  let settings = DEFAULTS;
  for (const [flag, word] of read.given) {
    if (flag === HELP) return { kind: "help" };
    const changed = flag.read(settings, word ?? "");
    if (changed === null) {
      const problem = phrase("simulator.flag.needs", { flag: flag.name, value: flag.value ?? "" });
      return { kind: "wrong", problem };
    }
    settings = changed;
  }
  const problem = contradictionOf(settings);
  return problem === null ? { kind: "run", settings } : { kind: "wrong", problem };
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
