import type { Plan, Step } from "../plan.ts";
import { FREE_BYTES, type World } from "./world.ts";

/** So that nothing waits for the hours of another day, nor for somebody who looks after a number that Meta has stopped. */
export function calmSettings(plan: Plan): Extract<Step, { readonly kind: "settings" }> {
  const ofNumbers = plan.cloud && {
    "whatsapp.numbers.main.token": "token-of-the-calm",
    "whatsapp.numbers.main.enabled": true,
  };
  return {
    kind: "settings",
    index: -1,
    atMs: 0,
    when: "now",
    changes: { "policy.marketing_hours": "00:00-24:00", ...ofNumbers },
  };
}

/** Every fault ends: the network holds, operators and receivers answer, the disk takes what is written. */
export function calmDown(world: World): void {
  const { carriers, centres, receivers, disk, observe, plan } = world;
  carriers.calm();
  for (const centre of centres.values()) centre.calm();
  for (const receiver of receivers.values()) receiver.calm();
  world.cloud?.calm();
  disk.refuse("well", CALM_CHANCE);
  world.freeBytes = FREE_BYTES.well;
  world.isBusy = false;
  observe({ kind: "disk", state: "well" });
  observe({ kind: "fault", name: "calm", detail: `seed ${plan.seed}` });
}

/** A disk that is well draws nothing. */
const CALM_CHANCE = { fraction: () => 0, bytes: (length: number) => new Uint8Array(length) };
