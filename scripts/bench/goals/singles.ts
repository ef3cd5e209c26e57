import { until, wallMs } from "../kit/clock.ts";
import { type Goal, quantile, rounded } from "../kit/goal.ts";
import { meter } from "../kit/meter.ts";
import { openRig } from "../kit/rig.ts";

export const c: Goal = {
  letter: "C",
  what: "single-recipient requests, each a batch of its own, paid, durable and idempotent, over 32 connections",
  size: 20_000,
  quick: 5000,
  run: async (product, size) => {
    const rig = await openRig(product);
    try {
      const company = await rig.company();
      await rig.startCentre();
      const appliance = await rig.startAppliance();
      await rig.bound();
      await company.singles({ messageClass: "TRANSACTIONAL", from: 9_000_000, count: 300, connections: 32 });
      await until("warm", async () => (await rig.centre("seen")).acknowledged >= 300);
      await rig.centre("anew");
      await appliance.begin();
      const measured = meter(appliance);
      const beganMs = wallMs();
      const shots = await company.singles({
        messageClass: "TRANSACTIONAL",
        from: 0,
        count: size,
        connections: 32,
      });
      const answeredMs = wallMs();
      await until("all receipts", async () => (await rig.centre("seen")).acknowledged >= size);
      await appliance.end();
      const used = measured(size);
      const { lastAcknowledgedMs } = await rig.centre("seen");
      const took = shots.map((shot) => shot.answeredMs - shot.sentMs);
      const { longestHoldMs } = await appliance.stop();
      return {
        requests_per_second: rounded((size * 1000) / (answeredMs - beganMs)),
        receipted_per_second: rounded((size * 1000) / (lastAcknowledgedMs - beganMs)),
        answer_p50_ms: rounded(quantile(took, 0.5), 2),
        answer_p99_ms: rounded(quantile(took, 0.99), 2),
        ...used,
        longest_hold_ms: longestHoldMs,
      };
    } finally {
      await rig.close();
    }
  },
};
