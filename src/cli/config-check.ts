import type { OwnCommand } from "./own-command.ts";
import { printError, printJson } from "./print.ts";

/** Reads the configuration and says what is wrong with it; nothing else is touched (administration.md section 2). */
export const CONFIG_CHECK: OwnCommand = {
  kind: "own",
  name: "config check",
  summary: "check the configuration file and say what is wrong with it",
  positionals: [],
  flags: [],
  run: async ({ io, configPath, json }) => {
    const { loadConfig } = await import("../config/load-config.ts");
    const loaded = await loadConfig(configPath, io.env);
    if (!loaded.ok) {
      printError(io, json, { code: "CONFIG_INVALID", detail: loaded.lines.join("\n") });
      return 1;
    }
    const operators = Object.keys(loaded.config.operators);
    if (json) printJson(io, { data: { file: configPath, operators } });
    else io.out(`${configPath} is fine: ${operators.length} operator(s), ${operators.join(", ")}\n`);
    return 0;
  },
};
