import { readFlags } from "../../core/flags.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import { flagRow, renderHelp, type Say } from "../help.ts";
import { SIM_FLAGS, type SimFlag } from "./flags.ts";
import { SIM_DEFAULTS, type WhatsappSimSettings } from "./settings.ts";
import { SIM_COMMANDS } from "./typed-commands.ts";

export type SimInvocation =
  | { readonly kind: "run"; readonly settings: WhatsappSimSettings }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly problem: Phrase };

const HELP: SimFlag = { name: "help", value: null, read: (settings) => settings };

/** Reads the words behind `bendre whatsapp-sim`: `--flag value`, `--flag=value`, `--switch`. */
export function parseSimInvocation(words: readonly string[]): SimInvocation {
  const read = readFlags(words, [...SIM_FLAGS, HELP]);
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
  let settings = SIM_DEFAULTS;
  for (const [flag, word] of read.given) {
    if (flag === HELP) return { kind: "help" };
    const changed = flag.read(settings, word ?? "");
    if (changed === null) {
      const problem = phrase("simulator.flag.needs", { flag: flag.name, value: flag.value ?? "" });
      return { kind: "wrong", problem };
    }
    settings = changed;
  }
  return { kind: "run", settings };
}

const WIDTH = 22;

/** As a person types them; the same in every language. */
const EXAMPLES = [
  "--port 2776 --webhook http://127.0.0.1:8080/whatsapp/webhook",
  "--webhook http://127.0.0.1:8080/whatsapp/webhook --fail 131026:0.2 --lose 0.05 --control",
  "--webhook http://127.0.0.1:8080/whatsapp/webhook --wa-id usual --gone 100000000000002",
];

/** What `bendre whatsapp-sim --help` prints. */
export function simUsage(say: Say = english): string {
  return [
    say(phrase("simulator_help.whatsapp-sim")),
    "",
    say(phrase("simulator_help.whatsapp-sim.usage")),
    "",
    say(phrase("simulator_help.whatsapp-sim.about")),
    "",
    say(phrase("simulator_help.whatsapp-sim.examples")),
    "",
    ...EXAMPLES.map((words) => `  bendre whatsapp-sim ${words}`),
    "",
    ...SIM_FLAGS.map((flag) => row(...flagRow("whatsapp-sim", flag, say))),
    "",
    say(phrase("simulator_help.typed")),
    "",
    ...[...SIM_COMMANDS].map(([name, { words }]) =>
      row(`${name} ${words}`, say(renderHelp("whatsapp-sim", name))),
    ),
    "",
  ].join("\n");
}

function row(left: string, right: string): string {
  return left.length < WIDTH
    ? `  ${left.padEnd(WIDTH)}${right}`
    : `  ${left}\n  ${" ".repeat(WIDTH)}${right}`;
}
