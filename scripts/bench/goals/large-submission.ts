import { bulkBodies } from "../kit/client.ts";
import { until, wallMs } from "../kit/clock.ts";
import { type Goal, rounded } from "../kit/goal.ts";
import { meter } from "../kit/meter.ts";

export const f: Goal = {
  letter: "F",
  what: "one submission with attributes: to its 202, and until it is queued",
  size: 100_000,
  quick: 30_000,
  run: async (rig, size) => {
    const company = await rig.company();
    const appliance = await rig.startBoth();
    await company.submit(bulkBodies(2000, 2000, "TRANSACTIONAL", 5_000_000));
    await until("warm", async () => (await rig.centre("seen")).acknowledged >= 2000);
    const bodies = bulkBodies(size, size, "TRANSACTIONAL");
    const measured = await meter(appliance);
    const beganMs = wallMs();
    const [batch = ""] = await company.submit(bodies);
    const acceptedMs = wallMs();
    const isQueued = async () => (await company.batch(batch)).status !== "VALIDATING";
    await until("it is queued", isQueued, { everyMs: 10 });
    const queuedMs = wallMs();
    const used = await measured(size);
    return {
      to_202_s: rounded((acceptedMs - beganMs) / 1000, 3),
      to_queued_s: rounded((queuedMs - beganMs) / 1000, 2),
      peak_mib: appliance.memoryMib().peak,
      ...used,
    };
  },
};
