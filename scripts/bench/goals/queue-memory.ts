import { bulkBodies } from "../kit/client.ts";
import { until } from "../kit/clock.ts";
import type { Goal } from "../kit/goal.ts";
import { meter } from "../kit/meter.ts";

const A_SUBMISSION = 100_000;

export const h: Goal = {
  letter: "H",
  what: "resident memory while messages are queued and the operator is away",
  size: 2_000_000,
  quick: 200_000,
  run: async (rig, size) => {
    const company = await rig.company();
    const appliance = await rig.startAppliance();
    const measured = await meter(appliance);
    for (let from = 0; from < size; from += A_SUBMISSION) {
      const count = Math.min(A_SUBMISSION, size - from);
      const [batch = ""] = await company.submit(bulkBodies(count, count, "TRANSACTIONAL", from));
      const isQueued = async () => (await company.batch(batch)).status !== "VALIDATING";
      await until("a batch is queued", isQueued, { everyMs: 50 });
    }
    await Bun.sleep(5000);
    const used = await measured(size);
    const { now, peak } = appliance.memoryMib();
    return { queued_mib: now, peak_mib: peak, ...used };
  },
};
