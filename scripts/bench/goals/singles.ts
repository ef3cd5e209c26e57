import { until, wallMs } from "../kit/clock.ts";
import { type Goal, quantile, rounded } from "../kit/goal.ts";
import { meter } from "../kit/meter.ts";

export const c: Goal = {
  letter: "C",
  what: "single-recipient requests, each a batch of its own, paid, durable and idempotent, over 32 connections",
  size: 20_000,
  quick: 5000,
  run: async (rig, size) => {
    const company = await rig.company();
    const appliance = await rig.startBoth();
    const load = { messageClass: "TRANSACTIONAL", connections: 32 } as const;
    await company.singles({ ...load, from: 9_000_000, count: 300 });
    await until("warm", async () => (await rig.centre("seen")).acknowledged >= 300);
    await rig.centre("anew");
    const measured = await meter(appliance);
    const beganMs = wallMs();
    const shots = await company.singles({ ...load, from: 0, count: size });
    const answeredMs = wallMs();
    await until("all receipts", async () => (await rig.centre("seen")).acknowledged >= size);
    const used = await measured(size);
    const { lastAcknowledgedMs } = await rig.centre("seen");
    const took = shots.map((shot) => shot.answeredMs - shot.sentMs);
    return {
      requests_per_second: rounded((size * 1000) / (answeredMs - beganMs)),
      receipted_per_second: rounded((size * 1000) / (lastAcknowledgedMs - beganMs)),
      answer_p50_ms: rounded(quantile(took, 0.5), 2),
      answer_p99_ms: rounded(quantile(took, 0.99), 2),
      ...used,
    };
  },
};
