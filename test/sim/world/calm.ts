import type { CentreHabits, ReceiverHabits, Step } from "../plan.ts";
import type { World } from "./world.ts";

/** An operator without faults; how it writes ids and marks receipts stays as it was. */
const CALM_CENTRE: Omit<CentreHabits, "ids" | "marks" | "refusals"> = {
  responseMs: [1, 20],
  receiptMs: [10, 500],
  swallow: 0,
  ignore: 0,
  doubleResponse: 0,
  contradict: 0,
  refuse: 0,
  noReceipt: 0,
  earlyReceipt: 0,
  doubleReceipt: 0,
  foreignReceipt: 0,
  intermediateReceipt: 0,
  undelivered: 0,
  refuseBind: 0,
  deafToEnquire: 0,
};

const CALM_RECEIVER: Partial<ReceiverHabits> = { answerMs: [1, 20], fail: 0, broken: 0, silent: 0 };

/** So that nothing waits for the hours of another day. */
export const CALM_SETTINGS: Extract<Step, { readonly kind: "settings" }> = {
  kind: "settings",
  index: -1,
  atMs: 0,
  when: "now",
  changes: { "policy.marketing_hours": "00:00-24:00" },
};

/** Every fault ends: the network holds, operators and receivers answer, the disk takes what is written. */
export function calmDown(world: World): void {
  const { carriers, centres, receivers, disk, observe, plan } = world;
  carriers.calm();
  for (const centre of centres.values()) centre.change(CALM_CENTRE);
  for (const receiver of receivers.values()) receiver.change(CALM_RECEIVER);
  disk.refuse("well", CALM_CHANCE);
  world.isFull = false;
  observe({ kind: "disk", state: "well" });
  observe({ kind: "fault", name: "calm", detail: `seed ${plan.seed}` });
}

/** A disk that is well draws nothing. */
const CALM_CHANCE = { fraction: () => 0, bytes: (length: number) => new Uint8Array(length) };
