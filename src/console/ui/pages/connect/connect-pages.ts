/** The pages about what comes first, and about connecting operators. */
import { later } from "../later.tsx";
import type { PagePlace } from "../page-place.ts";

const pages = () => import("./connect.ts");

export const CONNECT_PAGES: readonly PagePlace[] = [
  {
    path: "/console/first",
    component: later(async () => (await pages()).First),
    capability: "appliance.change",
    entry: null,
  },
  {
    path: "/console/operators/new",
    component: later(async () => (await pages()).NewOperator),
    capability: "appliance.change",
    entry: null,
  },
];
