import type { Goal } from "../kit/goal.ts";
import { e } from "./beside-campaign.ts";
import { p } from "./beside-console.ts";
import { a, j, k } from "./bulk.ts";
import { q } from "./customers.ts";
import { b } from "./drain.ts";
import { f } from "./large-submission.ts";
import { d } from "./otp.ts";
import { h } from "./queue-memory.ts";
import { o } from "./quote.ts";
import { c } from "./singles.ts";
import { i } from "./start.ts";

/** Every goal of speed that is measured here, by its letter; where the others are measured is told on src/docs/speed.md. */
export const GOALS: readonly Goal[] = [a, b, c, d, e, f, h, i, j, k, o, p, q];
