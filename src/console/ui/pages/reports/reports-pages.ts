/** The page of reports. */
import { places } from "../../words/places.ts";
import { lazyPage } from "../later.tsx";
import type { PageEntry } from "../page-place.ts";

export const REPORTS_PAGES: readonly PageEntry[] = [
  {
    path: "/console/reports",
    component: lazyPage(async () => (await import("./reports.tsx")).Reports),
    capability: "reports.read",
    entry: { group: "work", name: () => places.value.reports, letter: "r" },
  },
];
