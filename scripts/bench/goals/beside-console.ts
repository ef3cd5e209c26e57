import { until } from "../kit/clock.ts";
import { browse } from "../kit/console-people.ts";
import type { Goal } from "../kit/goal.ts";
import { meter } from "../kit/meter.ts";
import { delays, PER_SECOND, steady, warm } from "./otp.ts";

const PEOPLE = 10;
/** Faster than anybody reads. */
const CLICK_MS = 500;
const PAGES = [
  ...["/messages", "/batches", "/operators", "/queue", "/accounts", "/reports/delivery", "/alarms", "/audit"],
  ...["/search?q=70000001", "/suppressions", "/messages?number=70000001", "/appliance"],
];

export const p: Goal = {
  letter: "P",
  what: `one OTP at ${PER_SECOND} a second, alone and while ${PEOPLE} people click through the console`,
  size: 1000,
  quick: 500,
  run: async (rig, size) => {
    const company = await rig.company();
    const appliance = await rig.startBoth();
    const cookies: string[] = [];
    for (let person = 0; person < PEOPLE; person++) cookies.push(await rig.owner());
    await warm(rig, company);
    const asked = async (from: number) => {
      const shots = await company.singles({ ...steady, from, count: size });
      await until("all receipts", async () => (await rig.centre("seen")).acknowledged >= size);
      const figures = delays(shots, from, await rig.centre("arrivals"));
      await rig.centre("anew");
      return figures;
    };
    const alone = await asked(0);
    const people = browse(`http://127.0.0.1:${rig.port}`, cookies, PAGES, CLICK_MS);
    await Bun.sleep(1000);
    const measured = await meter(appliance);
    const beside = await asked(1_000_000);
    const used = await measured(size);
    const clicks = await people.leave();
    return {
      alone_p50_ms: alone.p50_ms ?? null,
      alone_p99_ms: alone.p99_ms ?? null,
      ...beside,
      clicks,
      ...used,
    };
  },
};
