import { Type } from "typebox";
import { file, flag, table, whole } from "./setting.ts";

function delays(initial: number[], longest: number, description: string) {
  const each = whole({ unit: "seconds", min: 1, max: longest, description: "One delay." });
  return Type.Array(each, { minItems: 1, maxItems: 50, default: initial, description });
}

/** How endpoints are told of events, and how often it is tried again. */
export const WebhooksSchema = table({
  allow_private_targets: flag({
    default: false,
    description:
      "true lets endpoints be private, loopback and link-local addresses. For rehearsals only: never on a server that customers reach.",
  }),
  ca_file: file({ description: "Certificate authorities to trust besides the system's." }),
  timeout_seconds: whole({
    min: 1,
    max: 120,
    default: 15,
    description: "An endpoint that has not answered by then has failed.",
  }),
  retry_seconds: delays(
    [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    604_800,
    "Delays between the attempts of one event, each ±20 %. After the last one fails the event is given up.",
  ),
  probe_seconds: delays(
    [10, 30, 60, 120, 300, 600, 900, 1800, 3600],
    86_400,
    "Delays between the probes of a failing endpoint. The last one repeats.",
  ),
});
