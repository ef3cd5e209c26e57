/** The appliance's lives, one after the other on the same disk: each begins with what the last one left. */
import type { Config } from "../../../src/config/config.ts";
import { configOf } from "../../config/sample.ts";
import { forked, happens, oneOf } from "../chance.ts";
import type { Plan, Step } from "../plan.ts";
import { nextDocument } from "../workload/next-document.ts";
import { type End, type Life, startLife } from "./life.ts";
import type { World } from "./world.ts";

export type Lives = {
  readonly now: () => Life | null;
  readonly start: () => void;
  /** Ends the one under way, if there is one, and starts the next so much later. */
  readonly stop: (downMs: number) => void;
  readonly kill: (step: Extract<Step, { readonly kind: "kill" }>) => void;
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
/** So many deaths do not wait for a commit: with what was sent until then, and without what would have been. */
const AT_A_MOMENT = 0.3;
const MOMENT_MS = 500;
/** A death that waits for a commit comes after this, when there is none. */
const LONGEST_WAIT_MS = 20_000;

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
  const waiting: ((life: Life) => void)[] = [];

  const ended = (how: End): void => {
    const number = count;
    life = null;
    const forMs = downMs;
    downMs = RESTART_MS;
    // The stack that brought the end still stands: what it left is looked at once it is gone.
    time.after(0, () => {
      disk.crash(how === "power lost" ? "power" : "process", forked(plan.seed, "crash", number));
      time.after(forMs, start);
    });
  };
  const start = (): void => {
    count += 1;
    observe({ kind: "settings", document: seenDocument(document, plan) });
    const started = startLife(
      {
        ...{ time, seed: plan.seed, wall: world.wall, observe, http: world.http },
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
    stop: (forMs) => {
      if (!life) return;
      downMs = forMs;
      life.stop();
    },
    kill: ({ how, commits, where, downMs: forMs, index }) => {
      const victim = life;
      if (!victim) return;
      const die = (detail: string): void => {
        if (!victim.isAlive()) return;
        downMs = forMs;
        victim.end(how === "power" ? "power lost" : "killed", detail);
      };
      const chance = forked(plan.seed, "moment", index);
      if (happens(chance, AT_A_MOMENT)) {
        time.after(chance.fraction() * MOMENT_MS, () => {
          if (!victim.isAlive()) return;
          disk.kill();
          die("between two commits");
        });
        return;
      }
      disk.killAt({ commits, where, onKill: () => die(`${where}, commit ${commits} from the step`) });
      time.after(LONGEST_WAIT_MS, () => {
        if (!victim.isAlive()) return;
        disk.killAt(null);
        disk.kill();
        die("at rest");
      });
    },
    ready: () =>
      life?.isReady()
        ? Promise.resolve(life)
        : new Promise((resolve) => {
            waiting.push(resolve);
          }),
  };
}

/** The Config of a document, with what the plan lays over it. */
export function configFor(document: Plan["document"], plan: Plan, directory: string): Config {
  const config = configOf({ ...document, storage: { directory } });
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
