/** The page of reports. */
import { places } from "../../words/places.ts";
import { lazyPage, type PageEntry } from "../lazy-page.tsx";

export const REPORTS_PAGES: readonly PageEntry[] = [
  {
    path: "/console/reports",
    component: lazyPage(async () => (await import("./reports.tsx")).Reports),
    capability: "reports.read",
    entry: { group: "work", name: () => places.value.reports, letter: "r" },
  },
];
