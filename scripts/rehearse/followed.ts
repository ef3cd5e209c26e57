import type { Appliance, Message } from "./appliance.ts";

/** Longer than any time-out, rest or reconnection of a row: when nothing changes for so long, it is over. */
const QUIET_MS = 9_000;
const MAX_MS = 240_000;

/** The feed by number, without +, until `count` messages are final, or until nothing changes any more. */
export async function followed(appliance: Appliance, count: number): Promise<ReadonlyMap<string, Message>> {
  const found = new Map<string, Message>();
  const beganAt = performance.now();
  let changedAt = beganAt;
  for (;;) {
    const changes = await appliance.changes();
    for (const message of changes) found.set(message.msisdn.replace("+", ""), message);
    const now = performance.now();
    if (changes.length > 0) changedAt = now;
    const isAllFinal = found.size === count && [...found.values()].every((message) => message.is_final);
    if (isAllFinal || now - changedAt > QUIET_MS || now - beganAt > MAX_MS) return found;
    await Bun.sleep(50);
  }
}
