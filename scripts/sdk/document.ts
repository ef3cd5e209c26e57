import { systemPlatform } from "../../src/app/platform.ts";
import { systemChance } from "../../src/core/chance.ts";
import { systemClock } from "../../src/core/clock.ts";
import { jsonLog } from "../../src/core/log.ts";
import { startStage } from "../../src/demo/setup.ts";

/** The OpenAPI document that this source serves, as JSON text. */
export async function openApiOfToday(): Promise<string> {
  const stage = await startStage({
    edges: {
      clock: systemClock,
      chance: systemChance,
      log: jsonLog(systemClock, console.error, () => "error"),
      machine: systemPlatform,
    },
    quirks: { responseDelayMs: 0, responseJitterMs: 0, receiptDelayMs: 0, receiptJitterMs: 0 },
    onEvent: () => {},
  });
  try {
    return await (await fetch(`${stage.url}/openapi.json`)).text();
  } finally {
    await stage.stop();
  }
}
