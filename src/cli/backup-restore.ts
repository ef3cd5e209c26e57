/** `bendre backup restore` (docs/administration.md#restoring). */
import { resolve } from "node:path";
import { systemClock } from "../core/clock.ts";
import { toRefusal } from "../core/refusals.ts";
import { EXACT_ENGLISH } from "../i18n/phrase.ts";
import { withTexts } from "../i18n/text.ts";
import type { LocalCommand } from "./local-command.ts";
import { renderData } from "./render.ts";
import { printError, printJson, toDisplay, toTextReader } from "./terminal.ts";

/** Takes the data directory for itself: no server may run on it, and the database need not be there. */
export const BACKUP_RESTORE: LocalCommand = {
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
    const { createClaimRecovery } = await import("../app/channels.ts");
    const { systemPlatform } = await import("../app/platform.ts");
    const { deriveActor } = await import("./actor.ts");
    const { withProgress } = await import("./progress.ts");
    const { keptConsoleIn } = await import("../ops/backup/backup-work.ts");
    const file = resolve(args.FILE ?? "");
    // What lies in the data directory is replaced, sound or not: what the backup brings counts.
    const read = (kept: Parameters<typeof loadConfig>[3]) =>
      loadConfig(configPath, io.env, "a fault but for secrets", kept);
    const withKept = await read({ console: keptConsoleIn(file) });
    const loaded = withKept.ok ? withKept : await read({ console: {} });
    if (!loaded.ok) return printError(io, json, toRefusal("CONFIG_INVALID", { faults: loaded.faults }));
    const { config } = loaded;
    const restoring = backupRestore(
      {
        config,
        clock: systemClock,
        actor: deriveActor(io.env),
        machine: systemPlatform,
        recoverClaim: createClaimRecovery({ now: () => config }),
      },
      {
        file,
        replace: args.replace !== undefined,
        keys: args.keys === undefined ? null : resolve(args.keys),
      },
    );
    const restored = await withProgress(io, systemClock, restoring);
    if (!restored.ok) return printError(io, json, restored.refusal);
    if (json) printJson(io, { data: withTexts(restored.value, EXACT_ENGLISH) });
    else io.out(renderData(withTexts(restored.value, toTextReader(io)), undefined, toDisplay(io)));
    return 0;
  },
};
