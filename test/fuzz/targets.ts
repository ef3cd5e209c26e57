import type { Target } from "./target.ts";
import { csv } from "./targets/csv.ts";
import { drawn } from "./targets/drawn.ts";
import { numbers } from "./targets/numbers.ts";
import { receipts } from "./targets/receipts.ts";

/** Everything that takes what anybody sends. */
export const TARGETS: readonly Target[] = [drawn, receipts, numbers, csv];
