import { escapeControls } from "../base/escape-controls.ts";
import { isUlid } from "../base/ids.ts";
import { spokenIn } from "../i18n/text.ts";
import type { Io } from "./io.ts";
import type { OwnCommand } from "./own-command.ts";

const lookOf = async (io: Io) => (await import("./look.ts")).lookFor(io);

/**
 * The commands that are more than an answer. Their rooms are loaded only when asked for, so that every other command
 * starts at once; the paths are literal, because the bundler follows nothing else.
 */
export const LONG_RUNNING: readonly OwnCommand[] = [
  {
    kind: "own",
    name: "serve",
    summary: "run the appliance until it is told to stop",
    positionals: [],
    flags: [
      {
        name: "trace-message",
        value: "ID,ID",
        help: "log all that happens to these messages, whatever log.level is: claims, PDUs in words and hex (xx for texts and numbers), facts, webhook attempts",
      },
    ],
    run: async ({ io, configPath, isConfigNamed, args }) => {
      const ids = (args["trace-message"]?.split(",") ?? []).map((id) => id.trim().toUpperCase());
      const wrong = ids.find((id) => !isUlid(id));
      if (wrong !== undefined) {
        const { say } = await lookOf(io);
        const problem = say.sentence(`${JSON.stringify(wrong)} is not the id of a message`);
        io.err(`bendre${say.colon} --trace-message${say.colon} ${escapeControls(problem)}\n`);
        return 2;
      }
      const { say } = await lookOf(io);
      return (await import("../serve.ts")).serve(
        { path: configPath, mayBeMissing: !isConfigNamed },
        ids,
        say.sentence,
      );
    },
  },
  {
    kind: "own",
    name: "demo",
    summary: "run everything in one process, with a simulated operator and a temporary database",
    positionals: [],
    flags: [
      { name: "once", value: null, help: "send a batch, print what became of it, exit 0 if all arrived" },
    ],
    run: async ({ io, args }) => {
      const { say } = await lookOf(io);
      const { DEMO_PROCESS, runDemo } = await import("../demo/demo.ts");
      return runDemo(
        { once: args.once !== undefined },
        {
          ...{ ...DEMO_PROCESS, out: io.out, err: io.err },
          say: { line: (line) => spokenIn(io.language ?? "en", line), head: say.label },
        },
      );
    },
  },
  {
    kind: "own",
    name: "smsc",
    summary: 'run a simulated operator on its own; "bendre smsc --help" says how',
    positionals: [],
    flags: [],
    takesAll: true,
    run: async ({ io, words }) => {
      const { say } = await lookOf(io);
      const { runSmsc, SMSC_PROCESS } = await import("../simulator/run-smsc.ts");
      return runSmsc(words, {
        ...{ ...SMSC_PROCESS, out: io.out, err: io.err },
        say: { help: say.text, line: (line) => spokenIn(io.language ?? "en", line) },
      });
    },
  },
  {
    kind: "own",
    name: "whatsapp-sim",
    summary: 'run a stand-in for the Cloud API of WhatsApp; "bendre whatsapp-sim --help" says how',
    positionals: [],
    flags: [],
    takesAll: true,
    run: async ({ io, words }) => {
      const { say } = await lookOf(io);
      const { SMSC_PROCESS } = await import("../simulator/run-smsc.ts");
      const { runWhatsappSim } = await import("../simulator/whatsapp/run-whatsapp-sim.ts");
      return runWhatsappSim(words, {
        ...{ ...SMSC_PROCESS, out: io.out, err: io.err },
        say: { help: say.text, line: (line) => spokenIn(io.language ?? "en", line) },
      });
    },
  },
];
