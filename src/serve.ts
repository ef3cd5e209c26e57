import { type App, startApp, systemEdges } from "./app.ts";
import { errorText, jsonLog } from "./base/log.ts";
import { ignoreProxies } from "./base/proxies.ts";
import { loadConfig } from "./config/load-config.ts";
import { StoreError } from "./store/open.ts";

/** How long an orderly stop may take before the process ends all the same (administration.md section 1). */
const STOP_MS = 9500;

/**
 * Runs the appliance until SIGTERM or SIGINT; the exit code. A second signal ends the process at once, which loses
 * nothing either. What keeps it from starting is told in one message.
 */
export async function serve(configPath: string): Promise<number> {
  const stopAsked = new Promise<void>((resolve) => {
    let asked = false;
    const onSignal = () => {
      if (asked) process.exit(1);
      asked = true;
      resolve();
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });
  ignoreProxies();

  const loaded = await loadConfig(configPath, process.env);
  if (!loaded.ok) {
    process.stderr.write(`${loaded.lines.join("\n")}\n`);
    return 1;
  }
  const { config } = loaded;
  const { clock, chance } = systemEdges;
  const log = jsonLog(clock, (line) => process.stderr.write(`${line}\n`), config.log.level);
  process.on("unhandledRejection", (error) => {
    log.error("unhandled rejection", { error: errorText(error) });
    process.exit(1);
  });

  let app: App;
  try {
    app = await startApp(config, { clock, chance, log });
  } catch (error) {
    process.stderr.write(`bendre: ${startFailure(error, config.server.listen)}\n`);
    return 1;
  }
  await stopAsked;
  log.info("stopping");
  clock.after(STOP_MS, () => {
    log.error("stopping took too long");
    process.exit(1);
  });
  await app.stop();
  log.info("stopped");
  return process.exit(0);
}

function startFailure(error: unknown, listen: string): string {
  if (error instanceof StoreError) return error.message;
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    return `server.listen ${listen} is in use by another program`;
  }
  return errorText(error);
}
