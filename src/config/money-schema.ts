import { choice, table, whole } from "./setting.ts";

/** When messages are paid for. */
export const BillingSchema = table({
  charge_on: choice(["accepted", "delivered"], {
    default: "accepted",
    description: "A message is charged when the operator accepts it, or only when it is delivered.",
  }),
});

/** What test keys may do (docs/behaviour.md#test-keys). */
export const SandboxSchema = table({
  credit: whole({
    min: 0,
    max: 1_000_000_000,
    default: 1_000_000,
    description: "Whole XOF in the wallet of a sandbox: so much again at midnight of its account's timezone.",
  }),
  recipients_per_day: whole({
    min: 0,
    max: 10_000_000,
    default: 50_000,
    description:
      "Recipients that a sandbox accepts in a calendar day of its account's timezone. 0: no ceiling.",
  }),
  throughput: whole({
    min: 1,
    max: 10_000,
    default: 200,
    description: "Messages a second of all sandboxes together, after what is live.",
  }),
});
