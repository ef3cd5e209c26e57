import { bulkBodies } from "../kit/client.ts";
import { until } from "../kit/clock.ts";
import { type Goal, rounded } from "../kit/goal.ts";
import { meter } from "../kit/meter.ts";

export const b: Goal = {
  letter: "B",
  what: "draining what is queued, from the first submit to the last receipt",
  size: 100_000,
  quick: 30_000,
  run: async (rig, size) => {
    const company = await rig.company();
    const appliance = await rig.startAppliance();
    await company.submit(bulkBodies(size, 10_000, "TRANSACTIONAL"));
    await Bun.sleep(1000);
    const measured = await meter(appliance);
    await rig.startCentre();
    await until("all receipts", async () => (await rig.centre("seen")).acknowledged >= size);
    const used = await measured(size);
    const { firstSubmitMs, lastSubmitMs, lastAcknowledgedMs } = await rig.centre("seen");
    return {
      submitted_per_second: rounded((size * 1000) / (lastSubmitMs - firstSubmitMs)),
      receipted_per_second: rounded((size * 1000) / (lastAcknowledgedMs - firstSubmitMs)),
      ...used,
    };
  },
};
