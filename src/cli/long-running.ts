/** Commands that run until they are stopped, such as `serve`; each loads its room only when it is asked for. */
import { isUlid } from "../core/ids.ts";
import { parseWhole } from "../core/parse-number.ts";
import { escapeControls } from "../core/terminal-text.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { renderIn } from "../i18n/text.ts";
import { renderLabel } from "./labels.ts";
import type { LocalCommand } from "./local-command.ts";
import { deriveLocale, type Io } from "./terminal.ts";

/** Renders what a command says in the language that it was asked in. */
const sayTo = (io: Io) => (what: Phrase) => renderIn(deriveLocale(io), what);

const MAX_PORT = 65_535;

const streamsOf = (io: Io) => ({ out: io.out, err: io.err, say: sayTo(io) });

/**
 * The commands that are more than an answer. Their rooms are loaded only when asked for, so that every other command
 * starts at once; the paths are literal, because the bundler follows nothing else.
 */
export const LONG_RUNNING_COMMANDS: readonly LocalCommand[] = [
  {
    kind: "own",
    name: "serve",
    positionals: [],
    flags: [
      {
        name: "trace-message",
        value: "ID,ID",
      },
    ],
    run: async ({ io, configPath, isConfigNamed, args }) => {
      const ids = (args["trace-message"]?.split(",") ?? []).map((id) => id.trim().toUpperCase());
      const wrong = ids.find((id) => !isUlid(id));
      if (wrong !== undefined) {
        const problem = phrase("cli.no_id", { flag: "trace-message", id: wrong });
        io.err(`${escapeControls(sayTo(io)(phrase("cli.problem", { problem })))}\n`);
        return 2;
      }
      const { serve } = await import("../app/serve.ts");
      return serve({ path: configPath, mayBeMissing: !isConfigNamed }, ids, sayTo(io));
    },
  },
  {
    kind: "own",
    name: "demo",
    positionals: [],
    flags: [
      { name: "once", value: null },
      { name: "port", value: "PORT" },
      { name: "wire", value: null },
    ],
    run: async ({ io, args }) => {
      const port = args.port === undefined ? 0 : parseWhole(args.port, MAX_PORT);
      if (port === null) {
        const problem = phrase("cli.no_port", { flag: "port", text: args.port ?? "" });
        io.err(`${escapeControls(sayTo(io)(phrase("cli.problem", { problem })))}\n`);
        return 2;
      }
      const { runDemo } = await import("../demo/demo.ts");
      const { SIMULATOR_PROCESS } = await import("../simulator/command.ts");
      return runDemo(
        {
          once: args.once !== undefined,
          language: deriveLocale(io),
          port,
          showsWire: args.wire !== undefined,
        },
        {
          ...SIMULATOR_PROCESS,
          out: io.out,
          err: io.err,
          say: { line: sayTo(io), head: (name) => renderLabel(name, deriveLocale(io)) },
        },
      );
    },
  },
  {
    kind: "own",
    name: "smsc",
    positionals: [],
    flags: [],
    takesAll: true,
    run: async ({ io, words }) => {
      const { SIMULATOR_PROCESS } = await import("../simulator/command.ts");
      const { runSmsc } = await import("../simulator/run-smsc.ts");
      return runSmsc(words, { ...SIMULATOR_PROCESS, ...streamsOf(io) });
    },
  },
  {
    kind: "own",
    name: "whatsapp-sim",
    positionals: [],
    flags: [],
    takesAll: true,
    run: async ({ io, words }) => {
      const { SIMULATOR_PROCESS } = await import("../simulator/command.ts");
      const { runWhatsappSim } = await import("../simulator/whatsapp/run-whatsapp-sim.ts");
      return runWhatsappSim(words, { ...SIMULATOR_PROCESS, ...streamsOf(io) });
    },
  },
];
