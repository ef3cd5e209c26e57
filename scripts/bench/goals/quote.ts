import { quoteBody } from "../kit/client.ts";
import { wallMs } from "../kit/clock.ts";
import { type Goal, rounded } from "../kit/goal.ts";
import { meter } from "../kit/meter.ts";

export const o: Goal = {
  letter: "O",
  what: "one quote of texts that are UCS-2 as they are written, each its own: to its answer",
  size: 100_000,
  quick: 30_000,
  run: async (rig, size) => {
    const company = await rig.company();
    const appliance = await rig.startBoth();
    await company.quote(quoteBody(2000, 5_000_000));
    const body = quoteBody(size);
    const measured = await meter(appliance);
    const beganMs = wallMs();
    const { accepted } = await company.quote(body);
    const answeredMs = wallMs();
    const used = await measured(size);
    if (accepted !== size) throw new Error(`${accepted} of ${size} were accepted`);
    return { to_answer_s: rounded((answeredMs - beganMs) / 1000, 3), ...used };
  },
};
