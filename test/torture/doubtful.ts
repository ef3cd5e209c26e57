/** The messages of which a run must ask for a trace before it ends, so that the auditor sees whether what came again is listed. */
import { historyOf } from "../sim/auditor/history.ts";
import { repeatedMessages } from "../sim/auditor/repeats.ts";
import { readObservations } from "./read-observations.ts";

/** By what stands in a file of observations so far. Takes seconds for a long run. */
export function doubtfulOf(path: string): readonly string[] {
  const { seen, close } = readObservations(path);
  try {
    return repeatedMessages(historyOf(seen));
  } finally {
    close();
  }
}
