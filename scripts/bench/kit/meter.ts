/** What the product took of the processor between two moments, and what others took of the machine. */
import type { Appliance } from "./appliance.ts";
import { type Figures, rounded } from "./goal.ts";
import { machineSeconds } from "./processes.ts";

export type Meter = (items: number) => Figures;

/** Begins to measure; asked at the end, it tells CPU seconds for 10,000 items and the cores that everything else used. */
export function meter(appliance: Appliance): Meter {
  const [began, product, machine] = [performance.now(), appliance.cpuSeconds(), machineSeconds()];
  return (items) => {
    const seconds = (performance.now() - began) / 1000;
    const used = appliance.cpuSeconds() - product;
    const others = machineSeconds() - machine - used;
    return {
      cpu_s_for_10000: rounded((used / items) * 10_000, 2),
      cores: rounded(used / seconds, 2),
      cores_of_all_others: rounded(others / seconds, 2),
    };
  };
}
