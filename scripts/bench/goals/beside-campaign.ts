import { bulkBodies } from "../kit/client.ts";
import { until, wallMs } from "../kit/clock.ts";
import { type Goal, rounded } from "../kit/goal.ts";
import { meter } from "../kit/meter.ts";
import { delays, PER_SECOND, steady, warm } from "./otp.ts";

/** Numbers of OTPs end before those of the campaign begin. */
const CAMPAIGN = 1_000_000;

export const e: Goal = {
  letter: "E",
  what: `one OTP at ${PER_SECOND} a second while another account's campaign is accepted and sent`,
  size: 100_000,
  quick: 30_000,
  run: async (rig, size) => {
    const [urgent, campaign] = [await rig.company(), await rig.company()];
    const appliance = await rig.startBoth();
    await warm(rig, urgent);
    const bodies = bulkBodies(size, size, "MARKETING", CAMPAIGN);
    let isOver = false;
    const measured = await meter(appliance);
    const beganMs = wallMs();
    const asked = urgent.singles({ ...steady, from: 0, count: CAMPAIGN, isOver: () => isOver });
    const [batch = ""] = await campaign.submit(bodies);
    const acceptedMs = wallMs();
    const isSettled = async () => (await campaign.batch(batch)).status === "SETTLED";
    await until("the campaign is settled", isSettled, { everyMs: 100 });
    const settledMs = wallMs();
    isOver = true;
    const shots = await asked;
    await until("all receipts", async () => (await rig.centre("seen")).acknowledged >= size + shots.length);
    const used = await measured(size);
    return {
      ...delays(shots, 0, await rig.centre("arrivals")),
      campaign_per_second: rounded((size * 1000) / (settledMs - beganMs)),
      campaign_to_202_s: rounded((acceptedMs - beganMs) / 1000, 2),
      ...used,
    };
  },
};
