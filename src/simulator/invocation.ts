import { readFlags } from "../base/flags.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import type { SmscFlag } from "./flag-shapes.ts";
import { MAGIC } from "./magic.ts";
import { FLAG_GROUPS, FLAGS } from "./smsc-flags.ts";
import { DEFAULTS, type SmscSettings } from "./smsc-settings.ts";
import { CONTROL_COMMANDS } from "./typed-commands.ts";

export type SmscInvocation =
  | { readonly kind: "run"; readonly settings: SmscSettings }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly problem: Phrase };

const HELP: SmscFlag = { name: "help", value: null, help: "", read: (settings) => settings };

/** Reads the words behind `bendre smsc`: `--flag value`, `--flag=value`, `--switch`. */
export function invocationOf(words: readonly string[]): SmscInvocation {
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

/** The only flags that cannot stand with each other, or must not stand alone. */
function contradictionOf({ quirks, tlsKey, tlsCertificate }: SmscSettings): Phrase | null {
  if (quirks.noTlvs && quirks.noReceiptText) {
    return phrase("simulator.flag.no_receipt");
  }
  if ((tlsKey === null) !== (tlsCertificate === null)) {
    return phrase("simulator.flag.tls_pair");
  }
  return null;
}

/** How the simulator's texts are said: those of its help, and the lines that it prints while it runs. */
export type SmscWords = {
  readonly help: (english: string) => string;
  readonly line: (line: Phrase) => string;
};

export const ENGLISH_WORDS: SmscWords = { help: (text) => text, line: english };

/** What `bendre smsc --help` prints. */
export function smscUsage(say: SmscWords = ENGLISH_WORDS): string {
  const outcomes = [...MAGIC].map(([ending, { words }]) => [`…${ending}`, say.help(words)] as const);
  const commands = [...CONTROL_COMMANDS].map(
    ([name, { words, help }]) => [`${name} ${words}`.trimEnd(), say.help(help)] as const,
  );
  return [
    say.help("bendre smsc: a simulated operator to rehearse with (SMPP 3.4, loopback only)"),
    "",
    say.help("usage: bendre smsc [flags]"),
    "",
    say.help(
      "Every flag is one quirk that real operators have; any may be combined. Without flags it does everything right, and takes",
    ),
    say.help("what real centres take; with --strict it refuses all that breaks a rule of the protocol."),
    "",
    ...FLAG_GROUPS.flatMap(({ title, flags }) => [say.help(title), "", ...flagLines(flags, say), ""]),
    say.help("A destination's last five digits choose its outcome"),
    "",
    ...columns(outcomes),
    "",
    say.help("With --control, one command a line on standard input"),
    "",
    ...columns(commands),
    "",
    say.help(
      "It runs until it is told to stop (Ctrl-C, SIGTERM), then says what it counted, broken rules by their kind.",
    ),
    say.help('In a configuration: host = "127.0.0.1", port = this port, any system_id and password.'),
    "",
  ].join("\n");
}

function flagLines(flags: readonly SmscFlag[], say: SmscWords): readonly string[] {
  return columns(
    flags.map(({ name, value, help }) => {
      // What it is without the flag stands behind its meaning.
      const [, meaning = help, usual = ""] = /^(.*?)( \[[^\]]*\])$/.exec(help) ?? [];
      const said = say.help(help);
      const shown = said === help ? `${say.help(meaning)}${usual}` : said;
      return [value === null ? `--${name}` : `--${name} ${value}`, shown];
    }),
  );
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
