/** Command `bendre serve`: loads the configuration, starts the appliance, and follows its signals until it has stopped. */
import { resolve as resolvePath } from "node:path";
import { operatorCodes } from "../config/config.ts";
import { type Settings, settingsHolder } from "../config/live-config.ts";
import { type ConfigFile, loadConfig } from "../config/load-config.ts";
import { renderFirstLinkLines } from "../console/server/open-console.ts";
import type { Clock } from "../core/clock.ts";
import { type Invocation, programName, renderCommand } from "../core/invocation.ts";
import { errorFields, errorText, jsonLog, type Log, systemErrorCode, terminalLog } from "../core/log.ts";
import { toReason } from "../core/phrased-error.ts";
import { ignoreProxies } from "../core/proxies.ts";
import { type ServiceManager, sendDatagram, serviceManager } from "../core/sd-notify.ts";
import { escapeLines } from "../core/terminal-text.ts";
import { StoreError } from "../db/errors.ts";
import { createTraceLogger } from "../domain/messages/trace.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import type { ConfigSource } from "../ops/config-reloader.ts";
import { type App, StartAborted, startApp, systemEnvironment } from "./app.ts";

/** How long an orderly stop may take before the process ends all the same (docs/administration.md#stop). */
const STOP_MS = 9500;

/** Exit code where the data are for another executable: the unit does not restart then (docs/administration.md#upgrades). */
const OTHER_EXECUTABLE = 3;

/**
 * Runs the appliance until SIGTERM or SIGINT; resolves with the exit code. A second such signal ends the process at once, which loses
 * nothing either. SIGHUP reloads the configuration. What keeps it from starting is reported in one message, which `say` renders for
 * its reader. All that happens to the messages of the ids in `follow` is logged, whatever the level.
 */
export async function serve(
  { path, mayBeMissing }: ConfigPlace,
  follow: readonly string[] = [],
  say: (words: Phrase) => string = english,
): Promise<number> {
  const stopping = new AbortController();
  const stopAsked = new Promise<void>((resolve) => {
    stopping.signal.addEventListener("abort", () => resolve());
  });
  const onSignal = (): void => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, onSignal);
  const whenReady = reloadOnHangUp(stopping.signal);
  ignoreProxies();

  const source = sourceOf(path, mayBeMissing);
  const loaded = await source.readConfig();
  if (!loaded.ok) {
    process.stderr.write(`${escapeLines(loaded.faults.map(say).join("\n"))}\n`);
    return 1;
  }
  const settings = settingsHolder(loaded.config, loaded);
  const { clock, chance, machine } = systemEnvironment;
  const { log, look } = openLog(clock, settings, follow);
  reportMissingConfig(loaded, log);
  const manager = serviceManager({ env: process.env, pid: process.pid, clock, log, send: sendDatagram });
  let exitCode = 0;
  // An error that nobody expected ends the process, in order: what was claimed and not written goes back, so that the
  // next one sends nothing twice.
  const onBug = (error: unknown): void => {
    log.error("an error that nobody handles", { ...errorFields(error) });
    exitCode = 1;
    stopping.abort();
  };
  process.on("unhandledRejection", onBug);
  process.on("uncaughtException", onBug);
  stopping.signal.addEventListener("abort", () => {
    log.info("stopping");
    manager.stopping();
    clock.after(STOP_MS, () => {
      log.error("stopping took too long");
      process.exit(1);
    });
  });

  // No orderly stop: it would copy the log into the database, and nobody knows what the disk holds of it. The next start
  // reads what is there, by its checksums.
  const onSyncFailure = (error: unknown): void => {
    log.error("the disk failed to keep what was written: look at the disk, then start again", {
      error: errorText(error),
    });
    process.exit(1);
  };

  let app: App;
  try {
    const options = { stopAsked: stopping.signal, onSyncFailure, look, ...source };
    app = await startApp(settings, { clock, chance, log, machine }, options);
  } catch (error) {
    if (error instanceof StartAborted) return process.exit(exitCode);
    return refusedStart(error, say(startFailure(error, settings.now().server.listen)));
  }
  manager.ready();
  whenReady(app, manager);
  await Promise.all([stopAsked, printFirstLink(app, source.started)]);
  await app.stop();
  log.info("stopped");
  return process.exit(exitCode);
}

/** Prints the first administrator's link, on stdout and never in the log: whoever has it owns the appliance. */
async function printFirstLink(app: App, started: Invocation): Promise<void> {
  const link = await app.firstLink();
  if (link === null) return;
  const later = renderCommand(started, "user create LOGIN --role OWNER");
  process.stdout.write(`${renderFirstLinkLines(link, later).join("\n")}\n`);
}

/**
 * Reloads the configuration at each SIGHUP; for signals before the appliance is ready, once it is. The signal never ends the process,
 * however early it comes.
 */
function reloadOnHangUp(stopping: AbortSignal): (app: App, manager: ServiceManager) => void {
  let reloadApp: (() => void) | null = null;
  let isDue = false;
  const reload = (): void => {
    if (stopping.aborted) return;
    isDue = reloadApp === null;
    reloadApp?.();
  };
  process.on("SIGHUP", reload);
  return (app, manager) => {
    reloadApp = () => {
      manager.reloading();
      app.reload().then(manager.reloaded, manager.reloaded);
    };
    if (isDue) reload();
  };
}

/** Where the configuration is, and whether the file may be missing: only where nobody named one. */
export type ConfigPlace = { readonly path: string; readonly mayBeMissing: boolean };

/** Logs what is missing and what that means: a file, an operator. */
function reportMissingConfig({ config, path, isMissing }: ConfigFile, log: Log): void {
  if (isMissing) {
    log.warn(
      "there is no configuration file: every setting has its default; a file that is made is read by a reload",
      {
        file: resolvePath(path),
        listen: config.server.listen,
        directory: config.storage.directory,
      },
    );
  }
  if (operatorCodes(config).length === 0) {
    log.warn("no operator is connected: every number is answered UNROUTABLE_PREFIX", {});
  }
}

/** The configuration source at a path, and how the server is started with it. Text only proposed for it may use unset variables. */
function sourceOf(path: string, mayBeMissing: boolean): Required<ConfigSource> {
  // Once a file was read, it must exist: a reload must not reset every setting because of a mistyped name.
  let wasRead = !mayBeMissing;
  let wasAsked = false;
  return {
    readConfig: async (proposal = {}) => {
      const missing = wasRead ? "a fault" : "an empty file";
      const isProposed = proposal.more !== undefined;
      const loaded = await loadConfig(
        path,
        process.env,
        isProposed ? "a warning" : "a fault",
        proposal,
        missing,
      );
      // What cannot be looked at must not count as empty: operators would leave. At a start the opening of the database, in the same
      // directory, is refused, and says whose it is.
      const isStart = !wasAsked;
      wasAsked = true;
      if (loaded.ok && loaded.console?.isUnseen && !isStart) {
        const { path: unseen } = loaded.console;
        return { ok: false, faults: [phrase("config.warning.console_unseen", { path: unseen })] };
      }
      wasRead ||= loaded.ok && loaded.isMissing !== true;
      return loaded;
    },
    started: {
      program: programName(process.execPath, Bun.main),
      config: resolvePath(path),
      isService: (process.env.NOTIFY_SOCKET ?? "") !== "",
    },
  };
}

/** Opens the process's log, on stderr, and the tracing of single steps. */
function openLog(clock: Clock, settings: Settings, follow: readonly string[]) {
  const logTo = process.stderr.isTTY ? terminalLog : jsonLog;
  const write = (line: string) => process.stderr.write(`${line}\n`);
  const plainLog = logTo(clock, write, () => settings.now().log.level);
  const debugLog = logTo(clock, write, () => "debug");
  const look = createTraceLogger(plainLog, debugLog, { ...settings.now().log, follow });
  return { look, log: look?.log ?? plainLog };
}

async function refusedStart(error: unknown, words: string): Promise<never> {
  // Work that hangs must not keep alive a process that serves nobody.
  await new Promise<void>((resolve) =>
    process.stderr.write(`bendre: ${escapeLines(words)}\n`, () => resolve()),
  );
  const isForAnother =
    error instanceof StoreError && (error.kind === "newer" || error.kind === "unsupported");
  return process.exit(isForAnother ? OTHER_EXECUTABLE : 1);
}

function startFailure(error: unknown, listen: string): Phrase {
  const code = systemErrorCode(error);
  if (code === "EADDRINUSE") return phrase("config.listen.taken", { listen });
  if (code === "EACCES" && error instanceof Error && "syscall" in error && error.syscall === "listen") {
    return phrase("config.listen.not_permitted", { listen });
  }
  return toReason(error);
}
