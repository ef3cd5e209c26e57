/** The auditor's verdict on what a run left: nobody waits here for hours, so that what is listed as unanswered may be open. */
import { audit, type Verdict } from "../sim/auditor/audit.ts";
import { readObservations } from "./read-observations.ts";

/** Judges the observations in a file of lines. */
export function judge(path: string): Verdict {
  const { seen, close } = readObservations(path);
  try {
    return audit(seen, undefined, true);
  } finally {
    close();
  }
}
