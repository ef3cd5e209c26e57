import { resolve } from "node:path";
import { refusalOf } from "../core/failures.ts";
import type { OwnCommand } from "./own-command.ts";
import { printError, printJson } from "./print.ts";

/** Takes the data directory for itself: no server may run on it, and the database need not be there. */
export const BACKUP_RESTORE: OwnCommand = {
  kind: "own",
  name: "backup restore",
  positionals: [{ name: "FILE" }],
  flags: [
    { name: "replace", value: null },
    {
      name: "keys",
      value: "KEYS",
    },
  ],
  run: async ({ io, args, configPath, json }) => {
    const { loadConfig } = await import("../config/load-config.ts");
    const { backupRestore } = await import("../ops/backup/restore.ts");
    const { unheldIn } = await import("../app/channels.ts");
    const { systemClock } = await import("../core/clock.ts");
    const { systemMachine } = await import("../app/platform.ts");
    const { actorOf } = await import("./actor.ts");
    const { EXACT_ENGLISH } = await import("../i18n/phrase.ts");
    const { withTexts } = await import("../i18n/text.ts");
    const { lookFor, readerOf } = await import("./look.ts");
    const { withProgress } = await import("./progress.ts");
    const { showData } = await import("./show.ts");
    const loaded = await loadConfig(configPath, io.env, "a fault but for secrets");
    if (!loaded.ok) return printError(io, json, refusalOf("CONFIG_INVALID", { faults: loaded.faults }));
    const { config } = loaded;
    const restoring = backupRestore(
      {
        config,
        clock: systemClock,
        actor: actorOf(io.env),
        machine: systemMachine,
        settleUnheld: unheldIn({ now: () => config }),
      },
      {
        file: resolve(args.FILE ?? ""),
        replace: args.replace !== undefined,
        keys: args.keys === undefined ? null : resolve(args.keys),
      },
    );
    const restored = await withProgress(io, systemClock, restoring);
    if (!restored.ok) return printError(io, json, restored.refusal);
    if (json) printJson(io, { data: withTexts(restored.value, EXACT_ENGLISH) });
    else io.out(showData(withTexts(restored.value, readerOf(io)), undefined, lookFor(io)));
    return 0;
  },
};
