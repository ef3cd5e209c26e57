/** One life of the appliance: the application itself, every room of it, from its start to its end, however it ends. */
import { type App, startApp } from "../../../src/app/app.ts";
import type { Config } from "../../../src/config/config.ts";
import { type SettingsHolder, settingsHolder } from "../../../src/config/live-config.ts";
import { errorText, jsonLog } from "../../../src/core/log.ts";
import type { OpenDatabase } from "../../../src/db/disk.ts";
import { said } from "../../../src/i18n/phrase.ts";
import type { SpaceOf } from "../../../src/ops/disk-monitor.ts";
import { forked, happens } from "../chance.ts";
import type { Observe } from "../observation.ts";
import type { CarrierNetwork } from "./carrier-network.ts";
import type { ClientNetwork } from "./client-network.ts";
import type { HttpNetwork } from "./http-network.ts";
import { lifeClock, type WallClock } from "./life-clock.ts";
import type { receiverNetwork } from "./receiver-network.ts";
import type { Scheduler } from "./scheduler.ts";
import { simulatedThreads } from "./threads.ts";

/** How a life ended. */
export type End = "stopped" | "killed" | "power lost" | "failed";

export type Life = {
  readonly number: number;
  readonly settings: SettingsHolder;
  readonly isAlive: () => boolean;
  readonly isReady: () => boolean;
  /** As SIGTERM does. */
  readonly stop: () => void;
  /** The process is no more: nothing of it happens any more. */
  readonly end: (how: End, detail?: string) => void;
};

export type LifeWorld = {
  readonly time: Scheduler;
  readonly seed: number;
  readonly wall: WallClock;
  /** Others keep the machine busy, for now. */
  readonly isBusy: () => boolean;
  readonly observe: Observe;
  readonly carriers: CarrierNetwork;
  readonly http: HttpNetwork;
  readonly clients: ClientNetwork;
  readonly receivers: ReturnType<typeof receiverNetwork>;
  readonly openDatabase: OpenDatabase;
  readonly spaceOf: SpaceOf;
  /** A text without the name of the directory, which is another each time. */
  readonly nameless: (text: string) => string;
  /** A line of the process's log. */
  readonly logged: (life: number, line: string) => void;
  readonly ready: (life: Life) => void;
  /** Told once, at the end of a life. */
  readonly ended: (how: End) => void;
};

/** Of ten runs one is on a machine that others keep busy. */
const BUSY_MACHINES = 0.1;
/** What `serve` allows an orderly stop, and what it does then. */
const STOP_MS = 9500;

/** Starts a process. */
export function startLife(world: LifeWorld, number: number, config: Config): Life {
  const { time, seed, wall, observe } = world;
  const settings = settingsHolder(config);
  const stopping = new AbortController();
  let isAlive = true;
  let app: App | null = null;
  const alive = (): boolean => isAlive;
  const usual = happens(forked(seed, "busy machine"), BUSY_MACHINES) ? "often" : "never";
  const isBusy = () => (world.isBusy() ? "now" : usual);
  const clock = lifeClock(time, { wall, isBusy }, forked(seed, "life", number, "clock"), alive);
  const chance = forked(seed, "life", number, "chance");
  const log = jsonLog(
    clock,
    (line) => {
      if (isAlive) world.logged(number, world.nameless(line));
    },
    () => settings.now().log.level,
  );
  const end: Life["end"] = (how, detail) => {
    if (!isAlive) return;
    isAlive = false;
    const told = detail === undefined ? {} : { detail: world.nameless(detail) };
    observe({ kind: "life", life: number, what: how, ...told });
    world.carriers.orphan(how === "power lost" ? "power" : "process");
    world.clients.orphan(how === "power lost" ? "power" : "process");
    world.http.orphan();
    world.ended(how);
  };
  const life: Life = {
    number,
    settings,
    isAlive: alive,
    isReady: () => app !== null && !stopping.signal.aborted,
    end,
    stop: () => {
      if (!isAlive || stopping.signal.aborted) return;
      observe({ kind: "life", life: number, what: "stopping" });
      stopping.abort();
      clock.after(STOP_MS, () => end("failed", "stopping took too long"));
      if (!app) return;
      app.stop().then(
        () => end("stopped"),
        (error) => end("failed", errorText(error)),
      );
    },
  };
  observe({ kind: "life", life: number, what: "starting" });
  const https = world.receivers(alive);
  const machine = {
    dial: world.carriers.dialFor(alive),
    listenSmpp: world.clients.listenFor(alive),
    serve: world.http.serveFor(alive),
    https,
    // No simulated configuration names a mail server.
    sendMail: async () => said("there is no mail in this world"),
    startThread: simulatedThreads({
      time,
      chance: forked(seed, "life", number, "threads"),
      clock,
      https,
      openDatabase: world.openDatabase,
      isAlive: alive,
    }),
    openDatabase: world.openDatabase,
    spaceOf: world.spaceOf,
  };
  startApp(
    settings,
    { clock, chance, log, machine },
    {
      stopAsked: stopping.signal,
      onSyncFailure: (error) => end("failed", `the disk failed to sync: ${errorText(error)}`),
    },
  ).then(
    (started) => {
      if (!isAlive) return;
      app = started;
      observe({ kind: "life", life: number, what: "ready" });
      world.ready(life);
    },
    (error) => {
      if (isAlive) end(stopping.signal.aborted ? "stopped" : "failed", errorText(error));
    },
  );
  return life;
}
