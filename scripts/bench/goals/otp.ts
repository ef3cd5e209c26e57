import type { Seen } from "../centre.ts";
import { addressOf, type ClientCompany } from "../kit/client.ts";
import { until } from "../kit/clock.ts";
import { type Figures, type Goal, quantile, rounded } from "../kit/goal.ts";
import type { Shot } from "../kit/http-load.ts";
import { meter } from "../kit/meter.ts";
import type { Rig } from "../kit/rig.ts";

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

/** Asks for OTPs until the runtime has compiled their way, and the operator forgets them. */
export async function warm(rig: Rig, company: ClientCompany): Promise<void> {
  await company.singles({ ...steady, from: 9_000_000, count: 300 });
  await Bun.sleep(700);
  await rig.centre("anew");
}

export const d: Goal = {
  letter: "D",
  what: `one OTP at ${PER_SECOND} a second, from its request to its submit_sm`,
  size: 1000,
  quick: 500,
  run: async (rig, size) => {
    const company = await rig.company();
    const appliance = await rig.startBoth();
    await warm(rig, company);
    const measured = await meter(appliance);
    const shots = await company.singles({ ...steady, from: 0, count: size });
    await until("all receipts", async () => (await rig.centre("seen")).acknowledged >= size);
    const used = await measured(size);
    return { ...delays(shots, 0, await rig.centre("arrivals")), ...used };
  },
};
