import { expect, test } from "vitest";
import { createMetricsRegistry } from "../../../src/core/metrics-registry.ts";
import { isForNow, REFUSALS, type SmppRefusal } from "../../../src/ingress/smpp/refusals.ts";
import { countSubmit, SMPP_SUBMITS } from "../../../src/ingress/smpp/smpp-metrics.ts";

/** As what a submit counts that was answered so. */
function outcomeOf(commandStatus: number): string | undefined {
  const tally = createMetricsRegistry();
  countSubmit(tally, "faso", commandStatus);
  return tally.counters(SMPP_SUBMITS).all()[0]?.labels[1];
}

test("a submit counts by what its client is to do next", () => {
  expect([0, 0x58, 0x14, 0x08, 0x45].map(outcomeOf)).toEqual([
    "accepted",
    "throttled",
    "busy",
    "error",
    "refused",
  ]);
});

test("no refusal for now counts as one for good", () => {
  for (const reason of Object.keys(REFUSALS) as SmppRefusal[])
    expect([reason, outcomeOf(REFUSALS[reason]) === "refused"]).toEqual([reason, !isForNow(reason)]);
});
