/**
 * Whether requests may be sent here, and if not, why. Whoever knows a reason holds one; the door and the health pages
 * ask. While anything is held, `/health/ready` answers 503, and so does every submission (SERVICE_UNAVAILABLE).
 */

/** Why the appliance is not ready, as people read it: "starting", "stopping", "the clock is doubted". */
export type Reason = string;

export type Readiness = {
  /** What is held, oldest first; nothing when requests may be sent. */
  readonly reasons: () => readonly Reason[];
  /** Holds a reason until the function that it returns is called, once or more often. */
  readonly hold: (reason: Reason) => () => void;
};

/** Ready, until somebody holds a reason. */
export function readiness(): Readiness {
  const held = new Set<{ readonly reason: Reason }>();
  return {
    reasons: () => [...held].map(({ reason }) => reason),
    hold: (reason) => {
      const hold = { reason };
      held.add(hold);
      return () => {
        held.delete(hold);
      };
    },
  };
}
