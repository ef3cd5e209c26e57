import type { Goal } from "../kit/goal.ts";
import { e } from "./beside-campaign.ts";
import { a, k } from "./bulk.ts";
import { b } from "./drain.ts";
import { d } from "./otp.ts";
import { c } from "./singles.ts";

/** Every goal of speed that is measured, by its letter. */
export const GOALS: readonly Goal[] = [a, b, c, d, e, k];
