import { Type } from "typebox";
import { characters, choice, table, text, whole } from "./setting.ts";

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

/** Lines of at most what a line of paper takes. */
function paperLines(most: number, description: string) {
  return Type.Array(text({ description: "One line.", ...characters(1, 120) }), {
    minItems: 0,
    maxItems: most,
    default: [],
    description,
  });
}

/** Who sells: it stands on what clients are given on paper. */
export const SellerSchema = table({
  name: text({
    ...characters(0, 120),
    default: "",
    description: "The company that sells. Empty: no seller stands on these papers.",
  }),
  address: paperLines(6, 'Its address, a line each, such as "01 BP 1234, Ouagadougou 01".'),
  tax_numbers: paperLines(
    6,
    'Its numbers with the tax office and the register of commerce, a line each, such as "IFU 00012345 A".',
  ),
});
