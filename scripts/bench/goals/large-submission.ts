import { bulkBodies } from "../kit/client.ts";
import { until, wallMs } from "../kit/clock.ts";
import { type Goal, rounded } from "../kit/goal.ts";
import { openRig } from "../kit/rig.ts";

export const f: Goal = {
  letter: "F",
  what: "one submission with attributes: to its 202, and until it is queued",
  size: 100_000,
  quick: 30_000,
  run: async (product, size) => {
    const rig = await openRig(product);
    try {
      const company = await rig.company();
      await rig.startCentre();
      const appliance = await rig.startAppliance();
      await rig.bound();
      await company.submit(bulkBodies(2000, 2000, "TRANSACTIONAL", 5_000_000));
      await until("warm", async () => (await rig.centre("seen")).acknowledged >= 2000);
      const bodies = bulkBodies(size, size, "TRANSACTIONAL");
      await appliance.begin();
      const beganMs = wallMs();
      const [batch = ""] = await company.submit(bodies);
      const acceptedMs = wallMs();
      const isQueued = async () => (await company.batch(batch)).status !== "VALIDATING";
      await until("it is queued", isQueued, { everyMs: 10 });
      const queuedMs = wallMs();
      await appliance.end();
      const { peak } = appliance.memoryMib();
      const { longestHoldMs } = await appliance.stop();
      return {
        to_202_s: rounded((acceptedMs - beganMs) / 1000, 3),
        to_queued_s: rounded((queuedMs - beganMs) / 1000, 2),
        peak_mib: peak,
        longest_hold_ms: longestHoldMs,
      };
    } finally {
      await rig.close();
    }
  },
};
