import type { Settings } from "../../config/in-force.ts";
import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../db/store.ts";
import type { Callbacks } from "./callbacks.ts";
import type { CompatAuth } from "./gate.ts";
import type { RateOf } from "./rate.ts";
import type { compatSubmit } from "./submission.ts";

/** What both doors are built on. */
export type CompatDoorDeps = {
  readonly settings: Settings;
  readonly store: Pick<Store, "read">;
  readonly clock: Clock;
  readonly gate: CompatAuth;
  readonly submit: ReturnType<typeof compatSubmit>;
  readonly rateOf: RateOf;
  readonly callbacks: Pick<Callbacks, "wake">;
  /** Whether something could leave at this moment. */
  readonly isLinkUp: () => boolean;
};
