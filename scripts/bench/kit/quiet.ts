import { rounded } from "./goal.ts";
import { coreSeconds } from "./processes.ts";

const MAX_MS = 15_000;
/** Cores that others may use. */
const LITTLE = 0.25;

/** Waits, but not for ever, until others leave the cores alone for a second; how many cores they used in the last one. */
export async function quiet(): Promise<number> {
  const untilMs = performance.now() + MAX_MS;
  for (;;) {
    const [cpu, began] = [busySeconds(), performance.now()];
    await Bun.sleep(1000);
    const used = (busySeconds() - cpu) / ((performance.now() - began) / 1000);
    if (used < LITTLE || performance.now() > untilMs) return rounded(used, 2);
  }
}

function busySeconds(): number {
  const { used, stolen } = coreSeconds();
  return used + stolen;
}
