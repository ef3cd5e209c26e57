/** What the product took of the processor between two moments, how its event loop was held, and what others took of the machine. */
import type { Hold } from "../../loop-holds/watch.ts";
import type { Appliance } from "./appliance.ts";
import { type Figures, rounded } from "./goal.ts";
import { coreSeconds } from "./processes.ts";

/** Asked once, at the end. */
export type Meter = (items: number) => Promise<Figures>;

/**
 * Begins to measure. At the end it tells CPU seconds for 10,000 items, the cores that everything else used and those that the host
 * took away, and the longest hold: as it was, without the wait for a core, and as work alone (loop-holds/watch.ts).
 */
export async function meter(appliance: Appliance): Promise<Meter> {
  await appliance.begin();
  const [began, product, machine] = [performance.now(), appliance.cpuSeconds(), coreSeconds()];
  return async (items) => {
    const holds = await appliance.end();
    const seconds = (performance.now() - began) / 1000;
    const used = appliance.cpuSeconds() - product;
    const now = coreSeconds();
    return {
      cpu_s_for_10000: rounded((used / items) * 10_000, 2),
      cores: rounded(used / seconds, 2),
      cores_of_all_others: rounded((now.used - machine.used - used) / seconds, 2),
      cores_stolen: rounded((now.stolen - machine.stolen) / seconds, 2),
      ...(holds && figuresOf(holds)),
    };
  };
}

/** Holds that count as long, in milliseconds. */
const LONG_MS = 10;

function figuresOf(holds: readonly Hold[]): Figures {
  const longest = (of: (hold: Hold) => number) => rounded(Math.max(0, ...holds.map(of)), 1);
  return {
    longest_hold_ms: longest(({ ms }) => ms),
    longest_hold_own_ms: longest(({ ownMs }) => ownMs),
    longest_hold_cpu_ms: longest(({ cpuMs }) => cpuMs),
    long_own_holds: holds.filter(({ ownMs }) => ownMs > LONG_MS).length,
  };
}
