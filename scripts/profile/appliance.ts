/**
 * The appliance under the profiler: its configuration is the first argument, the directory for what was seen the second. Its parent tells
 * it when to begin and when to end; what was seen in between is written then.
 */
import { writeFileSync, writeSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import { startApp, systemEnvironment } from "../../src/app/app.ts";
import { systemPlatform } from "../../src/app/platform.ts";
import { settingsHolder } from "../../src/config/live-config.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { jsonLog } from "../../src/core/log.ts";
import { DATABASE_FILE } from "../../src/db/connections.ts";
import { english } from "../../src/i18n/text.ts";
import { logFrames } from "../../test/kit/log-frames.ts";
import { statementBook } from "../../test/kit/statement-book.ts";
import { cpuByThread } from "../bench/kit/processes.ts";
import { watchLongest } from "./holds.ts";
import { FILES, SAMPLE_MICROSECONDS, type Seen, TURN } from "./seen.ts";
import { profiledThreads } from "./threads.ts";

const [, , configPath = "", directory = ""] = process.argv;
const loaded = await loadConfig(configPath, process.env);
if (!loaded.ok) throw new Error(loaded.faults.map(english).join("\n"));
const settings = settingsHolder(loaded.config, loaded);
const log = jsonLog(
  systemEnvironment.clock,
  (line) => process.stderr.write(`${line}\n`),
  () => settings.now().log.level,
);
const frames = logFrames(join(loaded.config.storage.directory, DATABASE_FILE));
const book = statementBook(systemPlatform.openDatabase, (path) => {
  if (path.endsWith(DATABASE_FILE)) frames.committed();
});
const threads = profiledThreads();
const machine = { ...systemPlatform, openDatabase: book.openDatabase, startThread: threads.startThread };
const app = await startApp(settings, { ...systemEnvironment, log, machine });

const holds = watchLongest(book.booked);
const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.setSamplingInterval", { interval: SAMPLE_MICROSECONDS });
let [beganMs, cpuAtBegin] = [0, cpuByThread(process.pid)];

function begin(): void {
  threads.begin();
  book.reset();
  frames.reset();
  holds.reset();
  cpuAtBegin = cpuByThread(process.pid);
  beganMs = performance.now();
  writeSync(2, `${TURN.begin}\n`);
  session.post("Profiler.start");
}

async function end(): Promise<void> {
  const seconds = (performance.now() - beganMs) / 1000;
  const cpu = cpuByThread(process.pid);
  session.post("Profiler.stop", (_error, { profile }) => {
    writeFileSync(join(directory, FILES.cpu), JSON.stringify(profile));
  });
  writeSync(2, `${TURN.end}\n`);
  const used = Object.entries(cpu).map(([name, now]) => [name, now - (cpuAtBegin[name] ?? 0)] as const);
  const seen: Seen = {
    seconds,
    cpuByThread: Object.fromEntries(used.filter(([, seconds]) => seconds > 0)),
    statements: book.booked(),
    logFrames: frames.frames(),
    holds: holds.longest(),
    threads: await threads.end(directory),
    peakMib: Math.round(process.memoryUsage.rss() / 1_048_576),
  };
  writeFileSync(join(directory, FILES.seen), JSON.stringify(seen));
}

process.on("message", async (told: "begin" | "end") => {
  if (told === "begin") begin();
  else await end();
  process.send?.("done");
});
process.on("SIGTERM", async () => {
  await app.stop();
  process.exit(0);
});
process.send?.("ready");
