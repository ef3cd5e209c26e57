import { type Goal, rounded } from "../kit/goal.ts";
import { meter } from "../kit/meter.ts";

const SETTLED_MS = 5000;
const REST_MS = 5000;

export const i: Goal = {
  letter: "I",
  what: "a start on an almost empty database, and rest",
  size: 1,
  quick: 1,
  rig: { isLeftAlone: true },
  run: async (rig) => {
    await rig.company();
    const appliance = await rig.startBoth();
    await Bun.sleep(SETTLED_MS);
    const measured = await meter(appliance);
    await Bun.sleep(REST_MS);
    const { cores = null, cores_of_all_others = null, cores_stolen = null } = await measured(1);
    return {
      ready_ms: rounded(appliance.readyMs),
      idle_mib: appliance.memoryMib().now,
      idle_cores: cores,
      cores_of_all_others,
      cores_stolen,
    };
  },
};
