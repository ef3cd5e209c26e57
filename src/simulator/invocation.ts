import { readFlags } from "../base/flags.ts";
import type { SmscFlag } from "./flag-shapes.ts";
import { MAGIC } from "./magic.ts";
import { FLAG_GROUPS, FLAGS } from "./smsc-flags.ts";
import { DEFAULTS, type SmscSettings } from "./smsc-settings.ts";
import { CONTROL_COMMANDS } from "./typed-commands.ts";

export type SmscInvocation =
  | { readonly kind: "run"; readonly settings: SmscSettings }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly problem: string };

const HELP: SmscFlag = { name: "help", value: null, help: "", read: (settings) => settings };

/** Reads the words behind `bendre smsc`: `--flag value`, `--flag=value`, `--switch`. */
export function invocationOf(words: readonly string[]): SmscInvocation {
  const read = readFlags(words, [...FLAGS, HELP]);
  if (read.kind === "wrong") {
    const { name, isKnown } = read;
    return { kind: "wrong", problem: isKnown ? `--${name} takes no value` : `unknown flag --${name}` };
  }
  const [place] = read.places;
  if (place !== undefined) return { kind: "wrong", problem: `unknown flag ${place}` };
  let settings = DEFAULTS;
  for (const [flag, word] of read.given) {
    if (flag === HELP) return { kind: "help" };
    const changed = flag.read(settings, word ?? "");
    if (changed === null) return { kind: "wrong", problem: `--${flag.name} needs ${flag.value}` };
    settings = changed;
  }
  const problem = contradictionOf(settings);
  return problem === null ? { kind: "run", settings } : { kind: "wrong", problem };
}

/** The only flags that cannot stand with each other, or must not stand alone. */
function contradictionOf({ quirks, tlsKey, tlsCertificate }: SmscSettings): string | null {
  if (quirks.noTlvs && quirks.noReceiptText) {
    return "--no-tlvs with --no-receipt-text leaves nothing of a receipt";
  }
  if ((tlsKey === null) !== (tlsCertificate === null)) {
    return "--tls-key and --tls-certificate go together";
  }
  return null;
}

/** What `bendre smsc --help` prints. */
export function smscUsage(): string {
  const endings = [...MAGIC].map(([ending, { words }]): readonly [string, string] => [`…${ending}`, words]);
  const commands = [...CONTROL_COMMANDS].map(([name, { words, help }]): readonly [string, string] => [
    `${name} ${words}`.trimEnd(),
    help,
  ]);
  return [
    "bendre smsc: a simulated operator to rehearse with (SMPP 3.4, loopback only)",
    "",
    "usage: bendre smsc [flags]",
    "",
    "Every flag is one quirk that real operators have; any may be combined. Without flags it does everything right, and takes",
    "what real centres take; with --strict it refuses all that breaks a rule of the protocol.",
    "",
    ...FLAG_GROUPS.flatMap(({ title, flags }) => [
      title,
      "",
      ...columns(
        flags.map(({ name, value, help }) => [value === null ? `--${name}` : `--${name} ${value}`, help]),
      ),
      "",
    ]),
    "A destination's last five digits choose its outcome",
    "",
    ...columns(endings),
    "",
    "With --control, one command a line on standard input",
    "",
    ...columns(commands),
    "",
    "It runs until it is told to stop (Ctrl-C, SIGTERM), then says what it counted, broken rules by their kind.",
    'In a configuration: host = "127.0.0.1", port = this port, any system_id and password.',
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
