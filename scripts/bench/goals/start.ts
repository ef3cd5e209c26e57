import { type Goal, rounded } from "../kit/goal.ts";
import { meter } from "../kit/meter.ts";
import { openRig } from "../kit/rig.ts";

const SETTLED_MS = 5000;
const REST_MS = 5000;

export const i: Goal = {
  letter: "I",
  what: "a start on an almost empty database, and rest",
  size: 1,
  quick: 1,
  run: async (product) => {
    const rig = await openRig(product);
    try {
      await rig.company();
      await rig.startCentre();
      const appliance = await rig.startAppliance();
      await rig.bound();
      await Bun.sleep(SETTLED_MS);
      await appliance.begin();
      const measured = meter(appliance);
      await Bun.sleep(REST_MS);
      const { cores, cores_of_all_others } = measured(1);
      await appliance.end();
      const { now } = appliance.memoryMib();
      return {
        ready_ms: rounded(appliance.readyMs),
        idle_mib: now,
        idle_cores: cores ?? null,
        cores_of_all_others: cores_of_all_others ?? null,
      };
    } finally {
      await rig.close();
    }
  },
};
