/** The commands that a person may type to the running simulated operator. */
import { type Phrase, phrase } from "../i18n/phrase.ts";
import type { TypedCommand, TypedCommands } from "./command.ts";
import { DEFAULTS, FLAGS } from "./flags.ts";
import { GARBAGE_KINDS } from "./garbage.ts";
import { DROP_MODES } from "./quirks.ts";
import type { Smsc } from "./server.ts";

const MO = /^(\+?\d{3,15}) +(\S+) +(.+)$/s;

/** The commands that a person may type to the running operator. */
export const CONTROL_COMMANDS: TypedCommands<Smsc> = new Map<string, TypedCommand<Smsc>>([
  [
    "mo",
    {
      words: "FROM TO TEXT",
      run: (smsc, rest) => {
        const [, from, to, text] = MO.exec(rest) ?? [];
        if (from === undefined || to === undefined || text === undefined) return phrase("simulator.typed.mo");
        return smsc.sendMo(from.replace("+", ""), to, text) ? null : phrase("simulator.typed.nobody_bound");
      },
    },
  ],
  [
    "drop",
    {
      words: DROP_MODES.join("|"),
      run: (smsc, rest) => chosen(DROP_MODES, rest === "" ? "rst" : rest, smsc.dropLinks),
    },
  ],
  [
    "stall",
    {
      words: "MS",
      run: (smsc, rest) => {
        if (!/^\d{1,8}$/.test(rest)) return phrase("simulator.typed.stall");
        smsc.stallLinks(Number(rest));
        return null;
      },
    },
  ],
  ["garbage", { words: "KIND", run: (smsc, rest) => chosen(GARBAGE_KINDS, rest, smsc.sendGarbage) }],
  [
    "unbind",
    {
      words: "",
      run: (smsc) => {
        smsc.unbindLinks();
        return null;
      },
    },
  ],
  ["set", { words: "FLAG [VALUE]", run: set }],
]);

function chosen<Word extends string>(
  words: readonly Word[],
  word: string,
  use: (found: Word) => void,
): Phrase | null {
  const found = words.find((known) => known === word);
  if (found === undefined) return phrase("simulator.typed.one_of", { words: words.join("|") });
  use(found);
  return null;
}

/** Sets quirks only: where it listens and what it prints stay as they were at the start. */
function set(smsc: Smsc, rest: string): Phrase | null {
  const [typed = "", word = ""] = rest.split(/\s+/, 2);
  const name = typed.replace(/^--/, "");
  const flag = FLAGS.find((known) => known.name === name);
  if (flag === undefined) return phrase("simulator.flag.unknown", { flag: name });
  const settings = { ...DEFAULTS, quirks: smsc.quirks() };
  const changed = flag.read(settings, word);
  if (changed === null) return phrase("simulator.typed.needs", { name, value: flag.value ?? "" });
  if (changed.quirks === settings.quirks) return phrase("simulator.typed.fixed", { name });
  smsc.change(changed.quirks);
  return null;
}
