/** Trusting the clock of the machine again, after it jumped. */
import { isoUtc } from "../../core/clock.ts";
import { saveClockMark } from "../../db/clock-marks.ts";
import { change } from "./change.ts";
import { operation } from "./operation.ts";
import { done } from "./refusal.ts";

export const CLOCK_OPERATIONS = {
  /**
   * Trusts the wall clock again (docs/behaviour.md#clock-that-jumps). A trusted clock stays as it is, without an error.
   * Without a server, the clock of the next start is accepted.
   */
  "clock accept": operation({
    may: "appliance.change",
    params: {},
    run: async (context) => {
      const { server, clock } = context;
      const doubt = clock.doubt();
      if (server !== null && doubt === null) return done({ time: isoUtc(clock.nowMs()), was: null });
      return change(context, (tx, nowMs) => {
        const wallMs = doubt === null ? nowMs : doubt.wallMs;
        saveClockMark(tx, wallMs);
        tx.afterCommit(() => server?.acceptClock());
        const was = doubt === null ? null : { time: isoUtc(doubt.believedMs), reason: doubt.kind };
        return done({
          value: { time: isoUtc(wallMs), was },
          audit: {
            action: "clock accept",
            subject: "clock",
            detail: { accepted: isoUtc(wallMs), before: was?.time ?? null },
          },
        });
      });
    },
  }),
};
