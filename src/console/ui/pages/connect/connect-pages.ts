/** The pages about first steps, and about connecting operators. */

import { lazyPage, type PageEntry } from "../lazy-page.tsx";

const pages = () => import("./connect.ts");

export const CONNECT_PAGES: readonly PageEntry[] = [
  {
    path: "/console/first",
    component: lazyPage(async () => (await pages()).First),
    capability: "appliance.change",
    entry: null,
  },
  {
    path: "/console/operators/new",
    component: lazyPage(async () => (await pages()).NewOperator),
    capability: "appliance.change",
    entry: null,
  },
];
