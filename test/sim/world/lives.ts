/** The appliance's lives, one after the other on the same disk: each begins with what the last one left. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createClaimRecovery } from "../../../src/app/channels.ts";
import type { Config } from "../../../src/config/config.ts";
import { english } from "../../../src/i18n/text.ts";
import { backupRestore } from "../../../src/ops/backup/restore.ts";
import { configOf } from "../../config/sample.ts";
import { forked, oneOf } from "../chance.ts";
import type { Blow, Plan, Step } from "../plan.ts";
import { nextDocument } from "../workload/next-document.ts";
import { type End, type Life, startLife } from "./life.ts";
import { lifeClock } from "./life-clock.ts";
import { strike } from "./strike.ts";
import type { World } from "./world.ts";

export type Lives = {
  readonly now: () => Life | null;
  readonly start: () => void;
  /** Ends the one under way, if there is one, and starts the next so much later. */
  readonly stop: (downMs: number) => void;
  /** The power is cut once the one under way has ended, if it ends so. */
  readonly cutAfter: (how: End) => void;
  /** Ends the one under way, if there is one; `next` the one that comes after it. */
  readonly kill: (blow: Blow, downMs: number, next?: Blow) => void;
  /**
   * Ends the one under way, whose machine is no more, and puts the newest backup in the place of its data before the next; whether there
   * was one.
   */
  readonly restore: (downMs: number) => Promise<boolean>;
  /** A document that the next start, or this moment, goes by. */
  readonly change: (document: Plan["document"], when: "now" | "next start") => void;
  readonly document: () => Plan["document"];
  /** How many there were. */
  readonly count: () => number;
  /** Resolves with the next life that is ready, or at once with one that is. */
  readonly ready: () => Promise<Life>;
  /** Lines of all logs. */
  readonly log: readonly LoggedLine[];
};

export type LoggedLine = { readonly life: number; readonly atMs: number; readonly line: string };

/** An appliance that ended by itself is started again after this, as its unit says. */
const RESTART_MS = 5000;

/** What a sync takes, milliseconds: memory, a fast disk, a slow one. The process does nothing else meanwhile. */
const DISKS: readonly [Range, ...Range[]] = [
  [0, 0],
  [0.05, 0.8],
  [2, 25],
];
type Range = readonly [least: number, most: number];

export function openLives(world: World): Lives {
  const { plan, time, disk, observe } = world;
  const syncs = forked(plan.seed, "syncs");
  const [least, most] = oneOf(forked(plan.seed, "kind of disk"), DISKS);
  disk.onCommit(() => time.spend(least + syncs.fraction() * (most - least)));
  const log: LoggedLine[] = [];
  let { document } = plan;
  let count = 0;
  let life: Life | null = null;
  let downMs = RESTART_MS;
  let nextBlow: Blow | null = null;
  let cutAfter: End | null = null;
  const waiting: ((life: Life) => void)[] = [];
  let restoring: ((isRestored: boolean) => void) | null = null;

  const ended = (how: End): void => {
    const number = count;
    life = null;
    const forMs = downMs;
    const isCut = how === "power lost" || how === cutAfter;
    downMs = RESTART_MS;
    cutAfter = null;
    // The stack that brought the end still stands: what it left is looked at once it is gone.
    time.after(0, () => {
      disk.crash(isCut ? "power" : "process", forked(plan.seed, "crash", number));
      time.after(forMs, next);
    });
  };
  const next = (): void => {
    const told = restoring;
    restoring = null;
    if (told === null) start();
    else
      void restoreNewest(world, configFor(document, plan, disk.directory), count)
        .then(told)
        .then(start);
  };
  const start = (): void => {
    count += 1;
    const blow = nextBlow;
    nextBlow = null;
    const struck = blow && strike(world, blow, () => {});
    observe({ kind: "settings", document: seenDocument(document, plan) });
    const started = startLife(
      {
        time,
        seed: plan.seed,
        wall: world.wall,
        observe,
        http: world.http,
        clients: world.clients,
        isBusy: () => world.isBusy,
        carriers: world.carriers,
        receivers: world.receiverNetwork,
        openDatabase: disk.openDatabase,
        spaceOf: world.spaceOf,
        nameless: (text) => text.replaceAll(disk.directory, "DIRECTORY"),
        logged: (number, line) => log.push({ life: number, atMs: time.nowMs(), line }),
        ready: (ready) => {
          for (const told of waiting.splice(0)) told(ready);
        },
        ended,
      },
      count,
      configFor(document, plan, disk.directory),
    );
    struck?.victim(started);
    life = started.isAlive() ? started : null;
  };
  return {
    log,
    now: () => life,
    count: () => count,
    start,
    document: () => document,
    change: (next, when) => {
      document = next;
      const running = when === "now" ? life : null;
      if (!running) return;
      const refused = running.settings.replace(configFor(next, plan, disk.directory));
      if (refused.length === 0) observe({ kind: "settings", document: seenDocument(next, plan) });
    },
    cutAfter: (how) => {
      cutAfter = life && how;
    },
    stop: (forMs) => {
      if (!life) return;
      downMs = forMs;
      life.stop();
    },
    kill: (blow, forMs, after) => {
      if (!life) return;
      strike(world, blow, () => {
        downMs = forMs;
        nextBlow = after ?? null;
      }).victim(life);
    },
    restore: (forMs) =>
      new Promise((resolve) => {
        if (!life) {
          resolve(false);
          return;
        }
        restoring = resolve;
        downMs = forMs;
        disk.kill();
        life.end("killed", "its machine is no more");
      }),
    ready: () =>
      life?.isReady()
        ? Promise.resolve(life)
        : new Promise((resolve) => {
            waiting.push(resolve);
          }),
  };
}

/** Puts the newest backup in the place of the data; whether there was one. */
async function restoreNewest(world: World, config: Config, life: number): Promise<boolean> {
  const { plan, time, disk, wall } = world;
  const directory = join(disk.directory, "backups");
  const file = existsSync(directory)
    ? readdirSync(directory)
        .filter((name) => /^bendre-.*\.db$/.test(name))
        .sort()
        .at(-1)
    : undefined;
  if (file === undefined) return false;
  const chance = forked(plan.seed, "restore", life);
  const clock = lifeClock(time, { wall, isBusy: () => "never" }, chance, () => true);
  // Whoever has the old machine's keys names them: without them every endpoint needs a new secret.
  const hasKeys = readdirSync(disk.directory).some((name) => name.endsWith(".key"));
  await disk.exchange(async () => {
    const restored = await backupRestore(
      {
        config,
        clock,
        actor: "awa",
        recoverClaim: createClaimRecovery({ now: () => config }),
        machine: { spaceOf: world.spaceOf },
      },
      { file: join(directory, file), replace: true, keys: hasKeys ? disk.directory : null },
    );
    if (!restored.ok) throw new Error(`the backup was not restored: ${english(restored.refusal.detail)}`);
  });
  return true;
}

/** The Config of a document, with what the plan lays over it. */
export function configFor(document: Plan["document"], plan: Plan, directory: string): Config {
  const config = configOf({ metrics: { listen: "" }, ...document, storage: { directory } });
  return withOverrides(config, plan);
}

function withOverrides<T>(value: T, { overrides }: Plan): T {
  return Object.entries(overrides).reduce(
    (changed, [key, number]) => nextDocument(changed as Plan["document"], settingsStep(key, number)) as T,
    value,
  );
}

function settingsStep(key: string, value: number): Extract<Step, { readonly kind: "settings" }> {
  return { kind: "settings", index: -1, atMs: 0, when: "now", changes: { [key]: value } };
}

/** What observers are told: the document with what the plan laid over it. */
function seenDocument(document: Plan["document"], plan: Plan): Plan["document"] {
  return withOverrides(document, plan);
}
