/** The pages about the appliance itself. */
import { places } from "../../words/places.ts";
import { lazyPage, type PageEntry } from "../lazy-page.tsx";

export const APPLIANCE_PAGES: readonly PageEntry[] = [
  {
    path: "/console/alarms",
    component: lazyPage(async () => (await import("./alarms.tsx")).Alarms),
    capability: "alarms.read",
    entry: { group: "appliance", name: () => places.value.alarms, letter: "l" },
  },
  {
    path: "/console/state",
    component: lazyPage(async () => (await import("./state.tsx")).State),
    capability: "appliance.read",
    entry: { group: "appliance", name: () => places.value.appliance, letter: "t" },
  },
  {
    path: "/console/backups",
    component: lazyPage(async () => (await import("./backups.tsx")).Backups),
    capability: "backups.read",
    entry: { group: "appliance", name: () => places.value.backups, letter: "c" },
  },
  {
    path: "/console/audit",
    component: lazyPage(async () => (await import("./audit.tsx")).Audit),
    capability: "audit.read",
    entry: { group: "appliance", name: () => places.value.audit, letter: "j" },
  },
];
