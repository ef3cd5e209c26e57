import type { Seen } from "../centre.ts";
import { addressOf } from "../kit/client.ts";
import { until } from "../kit/clock.ts";
import { type Figures, type Goal, quantile, rounded } from "../kit/goal.ts";
import type { Shot } from "../kit/http-load.ts";
import { meter } from "../kit/meter.ts";
import { openRig } from "../kit/rig.ts";

export const PER_SECOND = 100;
const CONNECTIONS = 16;

/** How an OTP is asked for: at a steady rate, as people log in. */
export const steady = { messageClass: "OTP", connections: CONNECTIONS, perSecond: PER_SECOND } as const;

/** From the request sent to the message at the operator. */
export function delays(shots: readonly Shot[], from: number, { arrivals }: Seen): Figures {
  const took = shots.flatMap(({ sentMs }, index) => {
    const arrivedMs = arrivals[addressOf(from + index)];
    return arrivedMs === undefined ? [] : [arrivedMs - sentMs];
  });
  return {
    otps: took.length,
    p50_ms: rounded(quantile(took, 0.5), 2),
    p99_ms: rounded(quantile(took, 0.99), 2),
    longest_ms: rounded(Math.max(...took), 2),
  };
}

export const d: Goal = {
  letter: "D",
  what: `one OTP at ${PER_SECOND} a second, from its request to its submit_sm`,
  size: 1000,
  quick: 500,
  run: async (product, size) => {
    const rig = await openRig(product);
    try {
      const company = await rig.company();
      await rig.startCentre();
      const appliance = await rig.startAppliance();
      await rig.bound();
      await company.singles({ ...steady, from: 9_000_000, count: 300 });
      await Bun.sleep(700);
      await rig.centre("anew");
      await appliance.begin();
      const measured = meter(appliance);
      const shots = await company.singles({ ...steady, from: 0, count: size });
      await until("all receipts", async () => (await rig.centre("seen")).acknowledged >= size);
      await appliance.end();
      const used = measured(size);
      const figures = delays(shots, 0, await rig.centre("arrivals"));
      const { longestHoldMs } = await appliance.stop();
      return { ...figures, ...used, longest_hold_ms: longestHoldMs };
    } finally {
      await rig.close();
    }
  },
};
