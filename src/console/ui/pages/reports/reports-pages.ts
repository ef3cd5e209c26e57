/** The page of reports. */
import { places } from "../../words/places.ts";
import { later } from "../later.tsx";
import type { PagePlace } from "../page-place.ts";

export const REPORTS_PAGES: readonly PagePlace[] = [
  {
    path: "/console/reports",
    component: later(async () => (await import("./reports.tsx")).Reports),
    capability: "reports.read",
    entry: { group: "work", name: () => places.value.reports, letter: "r" },
  },
];
