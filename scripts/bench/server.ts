/**
 * The appliance as the main job of `bench` measures it: the configuration is the first argument. On SIGTERM it stops and prints one
 * JSON line: the longest pause of the event loop, CPU seconds, resident memory.
 */
import { startApp, systemEnvironment } from "../../src/app/app.ts";
import { settingsHolder } from "../../src/config/live-config.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { jsonLog } from "../../src/core/log.ts";
import { english } from "../../src/i18n/text.ts";
import { watchHolds } from "../loop-holds/watch.ts";

const loaded = await loadConfig(process.argv[2] ?? "", process.env);
if (!loaded.ok) throw new Error(loaded.faults.map(english).join("\n"));
const settings = settingsHolder(loaded.config, loaded);
const log = jsonLog(
  systemEnvironment.clock,
  (line) => process.stderr.write(`${line}\n`),
  () => (settings.now().log.level === "error" ? "error" : "warn"),
);
const app = await startApp(settings, { ...systemEnvironment, log });

let longestMs = 0;
let peakBytes = 0;
watchHolds({
  everyMs: 1,
  shortestMs: 0,
  told: ({ ms }) => {
    longestMs = Math.max(longestMs, ms);
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  },
});

process.on("SIGUSR2", () => {
  longestMs = 0;
});
process.on("SIGTERM", async () => {
  const cpu = process.cpuUsage();
  const figures = {
    longest_pause_ms: Math.round(longestMs * 10) / 10,
    cpu_seconds: Math.round((cpu.user + cpu.system) / 1e4) / 100,
    peak_rss_mib: Math.round(peakBytes / 1_048_576),
  };
  await app.stop();
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  process.exit(0);
});
process.stdout.write("ready\n");
